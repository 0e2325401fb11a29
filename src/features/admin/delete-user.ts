import { isOnlyAdmin, leaveForGood, resumeUser } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { actOnUser } from './act-on-user.ts';

/** *Errors*: AppError invalid (WRONG_EMAIL), conflict (ONLY_ADMIN), and as `actOnUser`. */
export async function deleteUser(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  userId: UserId,
  { reason, email }: { reason: string; email: string },
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_deletion', reason, request }, async (tx, user) => {
    if (canonicalEmail(email) !== user.email) {
      const message = 'This is not the address of this account. Nothing was deleted.';
      throw new AppError('invalid', 'WRONG_EMAIL', message, { fields: { email: message } });
    }
    if (await isOnlyAdmin(tx, userId)) {
      throw new AppError('conflict', 'ONLY_ADMIN', 'This is the only administrator who is left. Nothing was deleted.');
    }
    // what we wrote elsewhere has to be taken away, so nothing may rest
    await resumeUser(app, tx, userId);
    return leaveForGood(app, tx, userId, null);
  });
}
