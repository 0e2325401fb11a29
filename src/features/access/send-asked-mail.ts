import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import { mailboxOf } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { mailsPerAddress } from './rules/limits.ts';
import { sendMailCode } from './send-mail-code.ts';

/**
 * The half of `askForMail` that nobody waits for: sends what was asked for, where there is something to send. An address
 * that has had its mails for now keeps the links it has.
 */
export async function sendAskedMail(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  { userId, wanted, request }: { userId: UserId | null; wanted: 'verify' | 'reset'; request: RequestFacts },
): Promise<void> {
  if (userId === null) return;
  await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (
      user === null ||
      user.leaving_at !== null ||
      user.suspended_at !== null ||
      (wanted === 'verify' && user.email_verified_at !== null)
    )
      return;
    if ((await takeAllowances(tx, mailsPerAddress, [mailboxOf(user.email)])).size === 0) return;
    if (wanted === 'reset') await recordAccountEvent(tx, { userId: user.id, kind: 'password-reset-asked', request });
    await sendMailCode(app, tx, user.id, wanted);
  });
}
