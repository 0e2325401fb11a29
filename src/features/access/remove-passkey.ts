import { demandRecentProof, lockUser } from '#features/accounts/public.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { PasskeyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { demandWayIn } from './demand-way-in.ts';
import { deletePasskey } from './store/passkeys.ts';
import { lockWaysIn } from './store/ways-in.ts';
import { tellAboutWayIn } from './tell-about-way-in.ts';

/**
 * Forgets one of one's own passkeys: it opens nothing any more, and the person's other sessions end, as any of them may
 * be its work.
 * *Errors*: AppError forbidden (REAUTHENTICATE), not-found, conflict (LAST_WAY_IN).
 */
export async function removePasskey(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  id: PasskeyId,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    await lockWaysIn(tx, actor.userId);
    await lockUser(tx, actor.userId); // a sign-in by it that has begun ends first, or finds it gone
    const name = await deletePasskey(tx, actor, id);
    if (name === undefined) throw new AppError('not-found', 'NOT_FOUND', 'This passkey has been removed already.');
    await demandWayIn(app, tx, actor.userId);
    await endSessions(tx, actor.userId, { except: actor.sessionId });
    await tellAboutWayIn(app, tx, actor.userId, { kind: 'passkey-removed', name }, request);
  });
}
