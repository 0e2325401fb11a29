import { randomUUID } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { supportMail } from './mail.ts';
import { messagesPerPerson } from './rules/limits.ts';

/**
 * Takes what somebody wrote to whoever runs this install, as a mail.
 * *Errors*: AppError conflict (NO_SUPPORT) where they have said no address, limited.
 */
export async function askSupport(
  app: Pick<App, 'db' | 'config' | 'mail'>,
  userId: UserId,
  { message, diagnostics }: { message: string; diagnostics?: string | undefined },
): Promise<{ sent: true }> {
  const { contact } = app.config.operator;
  if (contact === undefined)
    throw new AppError('conflict', 'NO_SUPPORT', 'Whoever runs this install has given no address. Nothing was sent.');
  await takeAllowance(app.db, messagesPerPerson, userId);
  const { email: from, name, locale } = await loadOwner(app.db, userId);
  const site = new URL(app.config.publicUrl).host;
  const mail = supportMail({ id: randomUUID(), to: contact, from, name, locale, site, message, diagnostics });
  await inTransaction(app.db, (tx) => app.mail.send(tx, mail));
  return { sent: true };
}
