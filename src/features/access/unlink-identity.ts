import { demandRecentProof } from '#features/accounts/public.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { demandWayIn } from './demand-way-in.ts';
import { deleteIdentity } from './store/identities.ts';
import { lockWaysIn } from './store/ways-in.ts';
import { tellAboutWayIn } from './tell-about-way-in.ts';

/**
 * This identity signs nobody in any more; the person's other sessions end, as any of them may be its work.
 * *Errors*: AppError forbidden (REAUTHENTICATE), not-found, conflict (LAST_WAY_IN).
 */
export async function unlinkIdentity(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  identityId: string,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  const { userId, sessionId } = actor;
  await inTransaction(app.db, async (tx) => {
    await lockWaysIn(tx, userId);
    const unlinked = await deleteIdentity(tx, userId, identityId);
    if (unlinked === undefined) throw new AppError('not-found', 'NOT_FOUND', 'There is no such identity.');
    await demandWayIn(app, tx, userId);
    await endSessions(tx, userId, { except: sessionId });
    const { provider, label: name } = unlinked;
    await tellAboutWayIn(app, tx, userId, { kind: 'identity-unlinked', provider, name }, request);
  });
}
