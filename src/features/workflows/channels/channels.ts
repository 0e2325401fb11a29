import { findTextConsent } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CredentialId } from '#kernel/ids.ts';
import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { type Allowance, takeAllowance, takeAllowances } from '#platform/limits.ts';
import type {
  Action,
  ActionKind,
  PerformedRun,
  Recipient,
  RenderedOf,
  StepOutcome,
  WorkflowOwner,
} from '../rules/action.ts';
import { actionOf, type CredentialKind } from '../rules/credential.ts';
import type { Sent } from '../rules/sending.ts';
import { isStopped, readPhone } from './consents.ts';
import { hubspot } from './services/hubspot.ts';
import { type OpenCredential, openCredential } from './services/services.ts';
import { slack } from './services/slack.ts';
import { type TextMessage, twilio } from './services/twilio.ts';
import { callWebhook } from './services/webhook.ts';
import { findConsent, insertConsent } from './store/consents.ts';
import { findCredentialRow, updateRefused } from './store/credentials.ts';
import {
  beginDelivery,
  claimRecord,
  dropDelivery,
  findDelivery,
  finishDelivery,
  giveBackToMonth,
  listTaken,
  releaseRecord,
  renewDelivery,
  takeFromMonth,
} from './store/deliveries.ts';

const absent: Record<Exclude<ActionKind, 'send-email'>, string> = {
  'send-sms': 'Connect an account for text messages first, then choose it here.',
  'notify-slack': 'Connect Slack first, then choose it here.',
  'push-to-crm': 'Connect a CRM first, then choose it here.',
};

/** The problem of a step that sends through an account; null: none. */
export async function checkStep(
  app: Pick<App, 'db'>,
  { userId }: WorkflowOwner,
  action: Exclude<Action, { kind: 'send-email' }>,
): Promise<string | null> {
  const row = await findCredentialRow(app.db, userId, action.credential_id);
  if (row === null || actionOf[row.kind] !== action.kind) return absent[action.kind];
  if (row.refused !== null) return row.refused;
  if (action.kind !== 'notify-slack') return null;
  if (row.kind === 'slack-webhook' && action.channel !== null)
    return 'A webhook always posts to its own channel. Leave the channel empty.';
  const hasChannel = action.channel !== null || row.kind === 'slack-webhook' || Boolean(row.settings.channel);
  return hasChannel ? null : 'Choose a channel. The bot has no default channel.';
}

interface Delivered {
  /** The key of the run. */
  key: string;
  credential: OpenCredential;
  send(nowMs: number): Promise<Sent>;
  /**
   * References of messages that the service has received since. Null: unknown at the moment; `never`: the service cannot tell.
   * Absent: the service recognizes a repetition.
   */
  findSent?(sinceMs: number): Promise<string[] | null | 'never'>;
  /** In the transaction of the intent; why it may not be sent, or null. */
  reserve?(tx: Tx): Promise<string | null>;
  /** In the transaction that forgets the intent. */
  giveBack?(tx: Tx): Promise<void>;
}

/** Time for which a call without an answer may still arrive. */
const settlesWithinMs = 30_000;
/** A clock of ours that is ahead of the service's. */
const skewMs = 60_000;

/**
 * Intent before the call, outcome after it. A call whose answer was lost is looked for, and adopted or made again; where it
 * cannot be looked for it is given up, and somebody may say to try again.
 */
async function deliver(app: App, delivered: Delivered): Promise<StepOutcome> {
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

/** The outcome of a call without an answer; null: the call must be repeated. */
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

/** Longer than all calls of one push take. */
const busyMs = 90_000;

/** One contact and one activity of a booking, made or changed; an older state of it never follows a newer one. */
export async function performCrm(
  app: App,
  run: PerformedRun,
  { credentialId, record }: RenderedOf<'push-to-crm'>,
): Promise<StepOutcome> {
  const credential = await takeCredential(app, run, 'push-to-crm', credentialId);
  if ('outcome' in credential) return credential;
  const { externalId, sequence } = record;
  const nowMs = app.clock.nowMs();
  const untilMs = nowMs + busyMs;
  const claimed = await claimRecord(app.db, { credentialId, externalId, sequence, nowMs, untilMs });
  if (claimed === null) return { outcome: 'refused', reason: 'under-way', permanent: false, retryAfterMs: 5_000 };
  if (!claimed) return { outcome: 'refused', reason: 'overtaken', permanent: true };
  try {
    return await deliver(app, {
      key: run.key,
      credential,
      send: (atMs) =>
        credential.kind === 'hubspot'
          ? hubspot.send(credential, record, atMs)
          : callWebhook(credential, { id: run.key, type: 'booking.upsert', data: toWire(record), nowMs: atMs }),
    });
  } finally {
    await releaseRecord(app.db, { credentialId, externalId, untilMs });
  }
}

/** As receivers read it: docs/webhooks.md. */
function toWire({ externalId, sequence, state, noShow, contact, activity }: RenderedOf<'push-to-crm'>['record']) {
  const { startMs, endMs, ...told } = activity;
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  return {
    external_id: externalId,
    sequence,
    state,
    no_show: noShow,
    contact,
    activity: { ...told, starts_at: at(startMs), ends_at: at(endMs) },
  };
}

/** A message in a channel. */
export async function performSlack(
  app: App,
  run: PerformedRun,
  { credentialId, channel, body }: RenderedOf<'notify-slack'>,
): Promise<StepOutcome> {
  const credential = await takeCredential(app, run, 'notify-slack', credentialId);
  if ('outcome' in credential) return credential;
  const post = { key: run.key, channel, text: body };
  return deliver(app, {
    key: run.key,
    credential,
    send: (nowMs) => slack.send(credential, post, nowMs),
    findSent: (sinceMs) => slack.findSent(credential, post, sinceMs),
  });
}

/** Anybody can enter a number in a form and tick that its owner agrees. As many as mails, which have the same two limits. */
const toNumber: Allowance = { action: 'text messages per number', burst: 20, periodSeconds: 86_400 };
const toNumberOfHost: Allowance = { action: 'text messages of a host per number', burst: 5, periodSeconds: 86_400 };

async function hasRoom(tx: Tx, userId: string, phone: string): Promise<boolean> {
  const ofHost = await takeAllowances(tx, toNumberOfHost, [`${userId} ${phone}`]);
  return ofHost.size === 1 && (await takeAllowances(tx, toNumber, [phone])).size === 1;
}

/** A text message to one number, whose owner agreed. */
export async function performSms(
  app: App,
  run: PerformedRun,
  { to, body, credentialId }: RenderedOf<'send-sms'>,
): Promise<StepOutcome> {
  const credential = await takeCredential(app, run, 'send-sms', credentialId);
  if ('outcome' in credential) return credential;
  const phone = await readPhone(to.address, credential.settings.country ?? undefined);
  if (phone === null) return refused('bad-number');
  const consent = await loadConsent(app, run, phone, to.role);
  if (consent === null) return refused('no-consent');
  if (!consent.given) return refused('opted-out');
  const month = monthOf(app.clock.nowMs());
  const message = { to: phone, body, statusUrl: statusUrlOf(app, credential) };
  return deliver(app, {
    key: run.key,
    credential,
    async reserve(tx) {
      if (to.role === 'guest' && !(await hasRoom(tx, run.userId, phone))) return 'too-many-to-number';
      const cap = credential.settings.monthlyCap ?? 0;
      return (await takeFromMonth(tx, { credentialId, month, cap })) ? null : 'monthly-cap';
    },
    giveBack: (tx) => giveBackToMonth(tx, credentialId, month),
    async send(nowMs) {
      const sent = await sendOne(credential, message, run, nowMs);
      if (sent.kind === 'refused' && sent.reason === 'opted-out') {
        await insertConsent(app.db, run.userId, {
          phone,
          given: false,
          source: 'network',
          sourceId: run.key,
          atMs: nowMs,
        });
      }
      return sent;
    },
    ...(credential.kind === 'twilio' && { findSent: (sinceMs) => twilio.findSent(credential, message, sinceMs) }),
  });
}

/** `2027-03`, UTC: a cap is an amount of money, not a time of anybody's day. */
export const monthOf = (nowMs: number) => Temporal.Instant.fromEpochMilliseconds(nowMs).toString().slice(0, 7);

function sendOne(credential: OpenCredential, message: TextMessage, run: PerformedRun, nowMs: number): Promise<Sent> {
  if (credential.kind === 'twilio') return twilio.send(credential, message, nowMs);
  const data = { to: message.to, body: message.body, test: run.isTest };
  return callWebhook(credential, { id: run.key, type: 'sms.send', data, nowMs });
}

/**
 * The last consent of a number. A box that was ticked while booking is stored when it is first needed, unless the owner of the
 * number replied STOP: anybody can enter a number. A host's own number in the profile is stored the same way.
 */
async function loadConsent(app: App, { userId, booking }: PerformedRun, phone: string, role: Recipient['role']) {
  const last = await findConsent(app.db, userId, phone);
  if (role === 'host' && last === null) {
    const atMs = app.clock.nowMs();
    await insertConsent(app.db, userId, { phone, given: true, source: 'own', sourceId: 'profile', atMs });
  }
  if (role === 'guest' && booking !== null && !isStopped(last)) {
    const atMs = await findTextConsent(app.db, booking.id);
    if (atMs !== null) {
      await insertConsent(app.db, userId, { phone, given: true, source: 'booking', sourceId: booking.id, atMs });
    }
  }
  return findConsent(app.db, userId, phone);
}

/** Twilio calls nobody on this machine; the emulator calls nobody else. */
function statusUrlOf({ config }: App, { id, kind, simulated }: OpenCredential): string | null {
  const isHere = isLoopbackHost(new URL(config.publicUrl).hostname);
  return kind === 'twilio' && isHere === simulated ? `${config.publicUrl}/hooks/twilio/${id}/status` : null;
}

const refused = (reason: string): StepOutcome => ({ outcome: 'refused', reason, permanent: true });

/** Requests that a service accepts from one account, a little below its documented limit. */
const allowances: Record<CredentialKind, Omit<Allowance, 'action'>> = {
  // one number sends one message a second, and queues what is more
  twilio: { burst: 10, periodSeconds: 10 },
  'sms-webhook': { burst: 10, periodSeconds: 10 },
  // one message a second
  'slack-webhook': { burst: 3, periodSeconds: 3 },
  'slack-bot': { burst: 3, periodSeconds: 3 },
  'crm-webhook': { burst: 20, periodSeconds: 10 },
  // 100 requests in ten seconds, three for each record
  hubspot: { burst: 30, periodSeconds: 10 },
};

/** The owner's credential for a step, with room for one more call; or why not. */
async function takeCredential(
  app: App,
  { userId }: Pick<WorkflowOwner, 'userId'>,
  kind: ActionKind,
  id: CredentialId,
): Promise<OpenCredential | (StepOutcome & { outcome: 'refused' })> {
  const row = await findCredentialRow(app.db, userId, id);
  if (row === null || actionOf[row.kind] !== kind)
    return { outcome: 'refused', reason: 'no-credential', permanent: true };
  const credential = await openCredential(app, row);
  if (credential === null) return { outcome: 'refused', reason: 'simulation-off', permanent: true };
  try {
    await takeAllowance(app.db, { action: `workflows ${row.kind}`, ...allowances[row.kind] }, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'limited') throw error;
    return { outcome: 'refused', reason: 'rate-limited', permanent: false, retryAfterMs: error.retryAfterMs ?? 1_000 };
  }
  return credential;
}
