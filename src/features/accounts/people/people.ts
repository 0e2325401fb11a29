import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { UserRole } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { recordAccountEvent } from '../audit/account-log.ts';
import { recordAct } from '../audit/audit.ts';
import { accountResumed, accountSuspended } from '../events.ts';
import { canonicalEmail } from '../rules/email.ts';
import { endSessions } from '../sessions/sessions.ts';
import { confirmAddress, findUserByEmail, isOnlyAdmin, lockUser, setRole, setSuspended } from '../store/users.ts';

/**
 * Confirms an address for an operator who knows whose it is, on installs without mail. The password of the sign-up stays,
 * so the time of the sign-up is returned, for its person to recognize. `unknown` where the address has no account.
 */
export async function confirmByHand(
  db: Database,
  typed: string,
): Promise<{ signedUpAt: Temporal.Instant } | 'same' | 'unknown'> {
  const user = await findUserByEmail(db, canonicalEmail(typed) ?? typed);
  if (!user) return 'unknown';
  if (user.email_verified_at !== null) return 'same';
  return inTransaction(db, async (tx) => {
    if (!(await confirmAddress(tx, user.id, user.email))) return 'unknown';
    await recordAccountEvent(tx, { userId: user.id, kind: 'email-verified', request: null });
    return { signedUpAt: user.created_at };
  });
}

/**
 * Gives somebody a role, by the operator's hand, and ends their sessions: who signs in again has the new rights and a
 * new token. `unknown` where the address has no account.
 */
export async function changeRole(db: Database, typed: string, role: UserRole): Promise<'changed' | 'same' | 'unknown'> {
  const user = await findUserByEmail(db, canonicalEmail(typed) ?? typed);
  if (!user) return 'unknown';
  return inTransaction(db, async (tx) => {
    const before = await lockUser(tx, user.id);
    if (before === null) return 'unknown';
    if (before.role === role) return 'same';
    await setRole(tx, user.id, role);
    await endSessions(tx, user.id);
    const kind = role === 'admin' ? 'role-granted' : 'role-revoked';
    await recordAccountEvent(tx, { userId: user.id, kind, request: null });
    await recordAct(tx, {
      actorId: null,
      action: 'role_change',
      subject: { kind: 'user', id: user.id },
      reason: null,
      request: null,
      details: { role },
    });
    return 'changed';
  });
}

/**
 * Suspends a person, or ends that. No sign-in works for a suspended person, nothing is done for them, and all data is kept.
 * Features that work for people are notified in this transaction. Returns false if it is so already, and for a person who is
 * being deleted. *Errors*: AppError conflict (ONLY_ADMIN).
 */
export async function setSuspension(
  app: Pick<App, 'news'>,
  tx: Tx,
  userId: UserId,
  isSuspended: boolean,
): Promise<boolean> {
  if (isSuspended && (await isOnlyAdmin(tx, userId))) {
    throw new AppError('conflict', 'ONLY_ADMIN', 'This is the last administrator. Add another one first.');
  }
  if (!(await setSuspended(tx, userId, isSuspended))) return false;
  if (isSuspended) await endSessions(tx, userId);
  await recordAccountEvent(tx, { userId, kind: isSuspended ? 'suspended' : 'resumed', request: null });
  await app.news.announce(tx, isSuspended ? accountSuspended : accountResumed, { userId });
  return true;
}

/**
 * Suspends a person, or ends that, by the operator's hand and with its line in the audit log. `same` also where the
 * account is being deleted.
 */
export function changeSuspension(
  app: Pick<App, 'db' | 'news'>,
  typed: string,
  isSuspended: boolean,
): Promise<'changed' | 'same' | 'only-admin' | 'unknown'> {
  return inTransaction(app.db, async (tx) => {
    const user = await findUserByEmail(tx, canonicalEmail(typed) ?? typed);
    if (!user || (await lockUser(tx, user.id)) === null) return 'unknown';
    if (isSuspended && (await isOnlyAdmin(tx, user.id))) return 'only-admin';
    if (!(await setSuspension(app, tx, user.id, isSuspended))) return 'same';
    await recordAct(tx, {
      actorId: null,
      action: isSuspended ? 'user_suspension' : 'user_resumption',
      subject: { kind: 'user', id: user.id },
      reason: null,
      request: null,
    });
    return 'changed';
  });
}
