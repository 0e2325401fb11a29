import type { UserRole } from '#platform/actor.ts';
import type { Database } from '#platform/db.ts';
import { inTransaction } from '#platform/db.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { recordAct } from './record-act.ts';
import { canonicalEmail } from './rules/email.ts';
import { findUserByEmail, lockUser, setRole } from './store/users.ts';

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
