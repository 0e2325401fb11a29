import { randomUUIDv7 } from 'node:crypto';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { keyPrefix } from './authenticate-key.ts';
import { demandRecentProof } from './demand-recent-proof.ts';
import { recordAct } from './record-act.ts';
import type { Scope } from './rules/scopes.ts';
import { insertApiKey } from './store/api-keys.ts';

/** A key in its maker's place; the answer is the only time it is shown. *Errors*: as `demandRecentProof`. */
export async function createApiKey(
  app: Pick<App, 'db'>,
  actor: Actor,
  { name, scopes, reason }: { name: string; scopes: readonly Scope[]; reason: string },
  request: RequestFacts,
): Promise<{ id: string; key: string }> {
  demandRecentProof(actor);
  const id = randomUUIDv7();
  const key = `${keyPrefix}${mintToken()}`;
  const masked = `${key.slice(0, keyPrefix.length + 4)}…${key.slice(-4)}`;
  await inTransaction(app.db, async (tx) => {
    await insertApiKey(tx, {
      id,
      userId: actor.userId,
      name: name.trim(),
      tokenHash: hashToken(key),
      masked,
      scopes: [...new Set(scopes)],
      secondFactor: actor.secondFactor,
    });
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'key_creation',
      subject: { kind: 'key', id },
      reason,
      request,
      details: { scopes: scopes.join(' ') },
    });
  });
  return { id, key };
}
