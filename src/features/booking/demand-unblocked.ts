import { blocksHere } from '#features/accounts/public.ts';
import { entriesNaming } from '#features/accounts/rules/address-list.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listStopped } from '#platform/recipients.ts';
import { blocksAny } from './store/blocked-guests.ts';

/**
 * Refuses addresses, in their canonical form, that the install or one of these hosts has blocked, or whose reader has stopped
 * mails. The first is the one of the person who acts, and the others are those of guests whom they bring. A refusal names the
 * guests whom it is about, and not the reason: a reader's choice is no matter of others.
 * *Errors*: AppError forbidden (BLOCKED).
 */
export async function demandUnblocked(
  db: Database,
  hostIds: readonly UserId[],
  emails: readonly string[],
): Promise<void> {
  const [own, ...brought] = emails;
  if (own === undefined || (await judge(db, hostIds, emails)) === null) return;
  const [verdict, ...verdicts] = await Promise.all(emails.map((email) => judge(db, hostIds, [email])));
  const refused = brought.filter((_, n) => verdicts[n] !== null).join(', ');
  const fields = {
    ...(verdict === 'blocked' ? { email: "This email address can't be used to book. Contact the host." } : {}),
    ...(verdict === 'stopped'
      ? { email: "We can't email this address. If you unsubscribed, use the link in one of our emails to resubscribe." }
      : {}),
    ...(refused === '' ? {} : { guests: `These guests can't be invited: ${refused}. Book without them.` }),
  };
  // the form marks the fields
  throw new AppError('forbidden', 'BLOCKED', fields.email ?? fields.guests ?? '', { fields });
}

async function judge(
  db: Database,
  hostIds: readonly UserId[],
  emails: readonly string[],
): Promise<'blocked' | 'stopped' | null> {
  const naming = emails.flatMap(entriesNaming);
  const [isBlockedHere, isBlockedByHost, stopped] = await Promise.all([
    blocksHere(db, naming),
    blocksAny(db, hostIds, naming),
    listStopped(db, emails),
  ]);
  if (isBlockedHere || isBlockedByHost) return 'blocked';
  return stopped.size > 0 ? 'stopped' : null;
}
