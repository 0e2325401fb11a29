import { sendMailCode } from '#features/access/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { actOnUser } from './act-on-user.ts';

/** *Errors*: AppError conflict (ALREADY_VERIFIED), and as `actOnUser`. */
export async function resendVerification(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'verification_resend', reason, request }, async (tx, user) => {
    if (user.email_verified_at !== null) {
      throw new AppError('conflict', 'ALREADY_VERIFIED', 'This address is confirmed already. Nothing was sent.');
    }
    await sendMailCode(app, tx, userId, 'verify');
  });
}
