import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { demandRecentProof } from './demand-recent-proof.ts';
import { leaveForGood } from './leave-for-good.ts';
import { canonicalEmail } from './rules/email.ts';
import { isOnlyAdmin, loadUser } from './store/users.ts';

/**
 * Its person wants the account gone. From here on nobody signs in to it; what other features keep of it elsewhere is
 * removed first, and `finishLeaving` takes the rest.
 *
 * *Errors*: AppError forbidden (REAUTHENTICATE), invalid (WRONG_EMAIL), conflict (ONLY_ADMIN).
 */
export async function deleteAccount(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  typed: string,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    const { email } = await loadUser(tx, actor);
    if (canonicalEmail(typed) !== email) {
      const message = 'This is not the address of this account. Nothing was deleted.';
      throw new AppError('invalid', 'WRONG_EMAIL', message, { fields: { email: message } });
    }
    if (await isOnlyAdmin(tx, actor.userId)) {
      throw new AppError(
        'conflict',
        'ONLY_ADMIN',
        'You are the only administrator, and there are other people here. Make one of them an administrator first ' +
          '(npm run admin -- grant <email>). Nothing was deleted.',
      );
    }
    await leaveForGood(app, tx, actor.userId, request);
  });
}
