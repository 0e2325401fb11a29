import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { factsOf, type KeyOwner, keysEndedMail } from './mail.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { recordAct } from './record-act.ts';
import { revokeKeys, type WhichKeys } from './store/api-keys.ts';

/** The person who ends them, and the reason; by default the owner. */
interface EndedBy {
  actorId?: UserId;
  reason?: string;
  request: RequestFacts;
}

/** Ends API keys of one person when the transaction commits. They read it in their trail and in a mail. Gives how many. */
export async function endApiKeys(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  owner: KeyOwner,
  which: WhichKeys,
  { actorId = owner.id, reason, request }: EndedBy,
): Promise<number> {
  const ended = await revokeKeys(tx, owner.id, which);
  if (ended.length === 0) return 0;
  // An administrator's device is nothing for the person's trail.
  const seen = actorId === owner.id ? request : null;
  for (const { id, name } of ended) {
    await recordAccountEvent(tx, { userId: owner.id, kind: 'api-key-ended', request: seen, details: { name } });
    const subject = { kind: 'key', id } as const;
    await recordAct(tx, { actorId, action: 'key_revocation', subject, reason: reason ?? null, request });
  }
  const names = ended.map(({ name }) => name);
  await app.mail.send(tx, keysEndedMail(owner, names, factsOf(app, seen)));
  return ended.length;
}
