import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { keyPrefix } from './authenticate-key.ts';
import { demandRecentProof } from './demand-recent-proof.ts';
import { factsOf, keyMadeMail } from './mail.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { recordAct } from './record-act.ts';
import { type KeyDays, usualKeyDays } from './rules/api-key.ts';
import type { Scope } from './rules/scopes.ts';
import { insertApiKey } from './store/api-keys.ts';
import { lockUser } from './store/users.ts';

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
