import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { StepOutcome } from '../rules/action.ts';
import type { Sent } from '../rules/sending.ts';
import type { OpenCredential } from './open-credential.ts';
import { updateRefused } from './store/credentials.ts';
import {
  beginDelivery,
  dropDelivery,
  findDelivery,
  finishDelivery,
  listTaken,
  renewDelivery,
} from './store/deliveries.ts';

export interface Delivered {
  /** Of the run. */
  key: string;
  credential: OpenCredential;
  send(nowMs: number): Promise<Sent>;
  /**
   * What the service has that may be what was sent since, by its references. Null: it does not say right now; `never`: it
   * cannot. Absent: it knows a repetition by itself.
   */
  findSent?(sinceMs: number): Promise<string[] | null | 'never'>;
  /** In the transaction of the intent; why it may not be sent, or null. */
  reserve?(tx: Tx): Promise<string | null>;
  /** In the transaction that forgets the intent. */
  giveBack?(tx: Tx): Promise<void>;
}

/** A call whose answer was lost may still be on its way for so long. */
const settlesWithinMs = 30_000;
/** A clock of ours that is ahead of the service's. */
const skewMs = 60_000;

/**
 * Intent before the call, outcome after it. A call whose answer was lost is looked for, and adopted or made again; where it
 * cannot be looked for it is given up, and somebody may say to try again.
 */
export async function deliver(app: App, delivered: Delivered): Promise<StepOutcome> {
  const { key, credential, send } = delivered;
  const nowMs = app.clock.nowMs();
  const known = await findDelivery(app.db, key);
  if (known?.state === 'done') return { outcome: 'done', reference: known.reference ?? '' };
  if (known !== null) {
    const found = await lookUp(app, delivered, known.begunMs, nowMs);
    if (found !== null) return found;
    if (!(await renewDelivery(app.db, key, known.begunMs, nowMs))) return putOff('under-way', settlesWithinMs);
  } else {
    const refused = await begin(app, delivered, nowMs);
    if (refused !== null) return refused;
  }
  const sent = await send(nowMs);
  switch (sent.kind) {
    case 'sent':
      await finishDelivery(app.db, key, sent.reference || key);
      if (await updateRefused(app.db, credential.id, null))
        await app.feed.publish(app.db, credential.userId, 'channels');
      return { outcome: 'done', reference: sent.reference || key };
    case 'unknown':
      return putOff('no-answer', settlesWithinMs);
    case 'refused': {
      await inTransaction(app.db, async (tx) => {
        await dropDelivery(tx, key);
        await delivered.giveBack?.(tx);
        if (sent.account !== undefined && (await updateRefused(tx, credential.id, sent.account))) {
          await app.feed.publish(tx, credential.userId, 'channels');
        }
      });
      const { reason, permanent, retryAfterMs } = sent;
      return { outcome: 'refused', reason, permanent, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
  }
}

/** What became of a call without an answer; null: it is to be made again. */
async function lookUp(
  app: App,
  { key, credential, findSent }: Delivered,
  begunMs: number,
  nowMs: number,
): Promise<StepOutcome | null> {
  if (nowMs < begunMs + settlesWithinMs) return putOff('no-answer', begunMs + settlesWithinMs - nowMs);
  if (findSent === undefined) return null;
  const found = await findSent(begunMs - skewMs);
  if (found === null) return putOff('no-answer', settlesWithinMs);
  if (found === 'never') return { outcome: 'refused', reason: 'unknown-outcome', permanent: true };
  const taken = await listTaken(app.db, credential.id, found);
  const reference = found.find((one) => !taken.has(one));
  if (reference === undefined) return null;
  await finishDelivery(app.db, key, reference);
  return { outcome: 'done', reference };
}

async function begin(app: App, { key, credential, reserve }: Delivered, nowMs: number): Promise<StepOutcome | null> {
  return inTransaction(app.db, async (tx) => {
    const reason = (await reserve?.(tx)) ?? null;
    if (reason !== null) return { outcome: 'refused', reason, permanent: true };
    const isFirst = await beginDelivery(tx, { runKey: key, credentialId: credential.id, nowMs });
    return isFirst ? null : putOff('under-way', settlesWithinMs);
  });
}

const putOff = (reason: string, retryAfterMs: number): StepOutcome => ({
  outcome: 'refused',
  reason,
  permanent: false,
  retryAfterMs,
});
