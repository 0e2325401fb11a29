import { recordAct } from '#features/accounts/audit/public.ts';
import { lockUser } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { findUserByEmail } from '#features/accounts/users/public.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { resetFactor } from './reset-factor.ts';

/**
 * For somebody who has lost app, backup codes and passkeys, by the operator's own hand. Ends their sessions.
 * `same` where there is no second factor.
 */
export function disableMfaByHand(db: Database, typed: string): Promise<'changed' | 'same' | 'unknown'> {
  return inTransaction(db, async (tx) => {
    const known = await findUserByEmail(tx, canonicalEmail(typed) ?? typed);
    const user = known && (await lockUser(tx, known.id));
    if (!user) return 'unknown';
    if (user.mfa_enabled_at === null) return 'same';
    await resetFactor(tx, user.id);
    const subject = { kind: 'user', id: user.id } as const;
    await recordAct(tx, { actorId: null, action: 'mfa_reset', subject, reason: null, request: null });
    return 'changed';
  });
}
