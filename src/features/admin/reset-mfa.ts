import { resetFactor } from '#features/access/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { actOnUser } from './act-on-user.ts';

/** *Errors*: AppError conflict (MFA_NOT_SET_UP), and as `actOnUser`. */
export async function resetMfa(
  app: Pick<App, 'db'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'mfa_reset', reason, request }, async (tx) => {
    if (await resetFactor(tx, userId)) return;
    throw new AppError('conflict', 'MFA_NOT_SET_UP', 'There is no second factor to reset. Nothing was changed.');
  });
}
