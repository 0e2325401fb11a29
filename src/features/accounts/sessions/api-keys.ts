import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAccountEvent } from '../audit/account-log.ts';
import { recordAct } from '../audit/audit.ts';
import { lastingAccessEnded } from '../events.ts';
import { factsOf, feedPublishedMail, type KeyOwner, keyMadeMail, keysEndedMail } from '../mail.ts';
import { type KeyDays, usualKeyDays } from '../rules/api-key.ts';
import type { Scope } from '../rules/scopes.ts';
import { findKeyOwner, insertApiKey, revokeKeys, type WhichKeys } from '../store/api-keys.ts';
import { lockUser } from '../store/users.ts';
import { demandRecentProof, keyPrefix } from './authentication.ts';

/** Each is a mail to its maker. */
const perMaker = { action: 'key made, account', burst: 30, periodSeconds: 86_400 };

/**
 * A key in its maker's place, which ends; the answer is the only time it is shown. Its maker is told by mail.
 * *Errors*: as `demandRecentProof`; AppError unauthenticated where a second factor was set up meanwhile, limited.
 */
export async function createApiKey(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  { name: typed, scopes, days = usualKeyDays, reason }: NewKey,
  request: RequestFacts,
): Promise<{ id: string; key: string; expiresAt: number }> {
  demandRecentProof(actor);
  const { userId, secondFactor } = actor;
  await takeAllowance(app.db, perMaker, userId);
  const id = randomUUIDv7();
  const name = typed.trim();
  const key = `${keyPrefix}${mintToken()}`;
  const masked = `${key.slice(0, keyPrefix.length + 4)}…${key.slice(-4)}`;
  const { expiresAt } = await inTransaction(app.db, async (tx) => {
    // A second factor that is set up at this moment ends the keys that were made without it.
    const user = await lockUser(tx, userId);
    if (user === null || (user.mfa_enabled_at !== null && !secondFactor)) {
      throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Authentication required');
    }
    const tokenHash = hashToken(key);
    const made = await insertApiKey(tx, {
      id,
      userId,
      name,
      tokenHash,
      masked,
      scopes: [...new Set(scopes)],
      secondFactor,
      days,
    });
    await recordAct(tx, {
      actorId: userId,
      action: 'key_creation',
      subject: { kind: 'key', id },
      reason,
      request,
      details: { scopes: scopes.join(' '), days },
    });
    await recordAccountEvent(tx, { userId, kind: 'api-key-made', request, details: { name } });
    await app.mail.send(tx, keyMadeMail(user, { name, scopes, expiresMs: made.expiresAt }, factsOf(app, request)));
    return made;
  });
  return { id, key, expiresAt };
}

interface NewKey {
  name: string;
  scopes: readonly Scope[];
  days?: KeyDays | undefined;
  reason: string;
}

/** From its next call on the key opens nothing; its owner is told. *Errors*: AppError not-found. */
export async function revokeApiKey(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  { keyId, reason }: { keyId: string; reason: string },
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const ownerId = await findKeyOwner(tx, keyId);
    const owner = ownerId === undefined ? null : await lockUser(tx, ownerId);
    const by = { actorId: actor.userId, reason, request };
    const ended = owner === null ? 0 : await endApiKeys(app, tx, owner, { only: keyId }, by);
    if (ended === 0) throw new AppError('not-found', 'NOT_FOUND', 'Key not found, or already revoked.');
  });
}

/** The person who ends them, and the reason; by default the owner. */
interface EndedBy {
  actorId?: UserId;
  reason?: string;
  request: RequestFacts;
}

/** Ends API keys of one person when the transaction commits. The account log and a mail say so. Returns the number. */
export async function endApiKeys(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  owner: KeyOwner,
  which: WhichKeys,
  { actorId = owner.id, reason, request }: EndedBy,
): Promise<number> {
  const ended = await revokeKeys(tx, owner.id, which);
  if (ended.length === 0) return 0;
  // An administrator's device does not belong in the person's log.
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

/** Ends what opens an account without a sign-in when the transaction commits: API keys, and what listeners keep, as published feeds. */
export async function endLastingAccess(
  app: Pick<App, 'clock' | 'config' | 'mail' | 'news'>,
  tx: Tx,
  owner: KeyOwner,
  request: RequestFacts,
): Promise<void> {
  await endApiKeys(app, tx, owner, { madeWithoutFactor: false }, { request });
  const { ip, userAgent = null } = request;
  await app.news.announce(tx, lastingAccessEnded, { userId: owner.id, ip, userAgent });
}

/** Notifies a person by mail and in their account log that a feed of their calendar was published or has a new address. */
export async function tellFeedPublished(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  { userId, content }: { userId: UserId; content: 'events' | 'busy' },
  request: RequestFacts,
): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user === null) return;
  await recordAccountEvent(tx, { userId, kind: 'feed-published', request, details: { content } });
  await app.mail.send(tx, feedPublishedMail(user, content, factsOf(app, request)));
}
