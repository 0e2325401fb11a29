import { impersonateUser } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { actOnUser } from './act-on-user.ts';

/** Opens a session in somebody's place. *Errors*: AppError conflict (NOT_ADMINISTRATORS, NOT_ACTIVE), and as `actOnUser`. */
export function impersonate(
  app: Pick<App, 'db'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<{ token: string; seconds: number }> {
  return actOnUser(app, actor, userId, { action: 'impersonation_start', reason, request }, async (tx, user) => {
    if (user.role === 'admin') {
      throw new AppError('conflict', 'NOT_ADMINISTRATORS', 'Nobody acts in an administrator’s place.');
    }
    if (user.suspended_at !== null || user.email_verified_at === null) {
      throw new AppError(
        'conflict',
        'NOT_ACTIVE',
        'Only accounts that are active can be looked at. Nothing was opened.',
      );
    }
    return impersonateUser(tx, actor, userId, request);
  });
}
