import { findUserByEmail } from '#features/accounts/users/public.ts';
import type { App } from '#platform/app.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { demandWork } from '#platform/proof-of-work.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { askedMail } from './jobs.ts';
import { readAddress } from './read-address.ts';
import { busyMail, mailsAskedPerNetwork } from './rules/limits.ts';
import type { MailCodePurpose } from './rules/mail-code.ts';
import { whereMailIs } from './rules/where-mail-is.ts';

const messages = {
  verify: 'If an account waits for this address to be confirmed, a new link is on its way.',
  reset: 'If this address has an account, a link to choose a new password is on its way.',
};

/** Mails that anybody may request for an address without proving that it is theirs. */
export type AskedMail = keyof typeof messages & MailCodePurpose;

/**
 * Has a mail sent to an address that somebody typed. Whether there is an account is neither told nor to be seen from the
 * time this takes: the work is a job's, which holds nothing of what was typed.
 * *Errors*: AppError invalid (no address), conflict (CHALLENGE), limited.
 */
export async function askForMail(
  app: Pick<App, 'db' | 'jobs' | 'config' | 'keyring' | 'clock'>,
  { email: typed, solution }: { email: string; solution?: string | undefined },
  wanted: AskedMail,
  request: RequestFacts,
): Promise<{ message: string; mailAt: string | null }> {
  const email = readAddress(typed);
  await takeNetworkAllowance(app.db, mailsAskedPerNetwork, request.ip);
  await demandWork(app, busyMail, solution);
  const user = await findUserByEmail(app.db, email);
  await app.jobs.send(askedMail, { userId: user?.id ?? null, wanted, request: { ...request } });
  return { message: messages[wanted], mailAt: whereMailIs(app.config) };
}
