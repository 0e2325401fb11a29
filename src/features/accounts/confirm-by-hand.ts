import { type Database, inTransaction } from '#platform/db.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { canonicalEmail } from './rules/email.ts';
import { confirmAddress, findUserByEmail } from './store/users.ts';

/** The operator knows whose address this is: for installs without mail. `unknown` where it has no account. */
export async function confirmByHand(db: Database, typed: string): Promise<'changed' | 'same' | 'unknown'> {
  const user = await findUserByEmail(db, canonicalEmail(typed) ?? typed);
  if (!user) return 'unknown';
  if (user.email_verified_at !== null) return 'same';
  return inTransaction(db, async (tx) => {
    if (!(await confirmAddress(tx, user.id, user.email))) return 'unknown';
    await recordAccountEvent(tx, { userId: user.id, kind: 'email-verified', request: null });
    return 'changed';
  });
}
