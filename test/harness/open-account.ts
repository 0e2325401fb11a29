import { randomUUIDv7 } from 'node:crypto';
import { savePassword } from '#features/access/store/passwords.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { openSession } from '#features/accounts/sessions/public.ts';
import { claimFirst, confirmAddress, createUser } from '#features/accounts/users/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashPassword } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';

export interface OpenedAccount {
  userId: UserId;
  /** In its canonical form. */
  email: string;
  /** Session token. */
  token: string;
}

export const testPassword = 'violet anchor seventeen';
let testPasswordHash: Promise<string> | undefined;

/**
 * An account with `testPassword`, verified and signed in; the first one of a database administers it. Not by the calls
 * of the screens, which cost two hashes and a mail: hundreds of tests begin with this.
 */
export async function openAccount({ db }: Pick<App, 'db'>, typed: string): Promise<OpenedAccount> {
  testPasswordHash ??= hashPassword(testPassword);
  const passwordHash = await testPasswordHash;
  const email = canonicalEmail(typed);
  if (email === null) throw new Error(`${typed} is no address`);
  const userId = randomUUIDv7() as UserId;
  const token = await inTransaction(db, async (tx) => {
    const user = await createUser(tx, {
      id: userId,
      email,
      zone: undefined,
      role: (await claimFirst(tx)) ? 'admin' : 'user',
    });
    if (user === null || !(await confirmAddress(tx, userId, email))) throw new Error(`${email} has an account`);
    await savePassword(tx, userId, passwordHash);
    const request = { id: 'test', ip: '127.0.0.1', userAgent: undefined };
    return openSession(tx, user, { method: 'password', secondFactor: false, request });
  });
  return { userId, email, token };
}
