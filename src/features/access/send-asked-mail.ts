import { findUserByEmail, recordAccountEvent } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { mailsPerAddress } from './rules/limits.ts';
import { sendMailCode } from './send-mail-code.ts';

/**
 * The half of `askForMail` that nobody waits for: sends what was asked for, where there is something to send. An address
 * that has had its mails for now keeps the links it has.
 */
export async function sendAskedMail(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  { email, wanted, request }: { email: string; wanted: 'verify' | 'reset'; request: RequestFacts },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined || (wanted === 'verify' && user.email_verified_at !== null)) return;
    if (!(await takeAllowances(tx, mailsPerAddress, [email])).has(email)) return;
    if (wanted === 'reset') await recordAccountEvent(tx, { userId: user.id, kind: 'password-reset-asked', request });
    await sendMailCode(app, tx, user.id, wanted);
  });
}
