import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { removeFactor } from './remove-factor.ts';

/** Takes the second factor of somebody who has lost it, and ends their sessions. False where there is none. */
export async function resetFactor(tx: Tx, userId: UserId): Promise<boolean> {
  const user = await lockUser(tx, userId);
  if (user === null || user.mfa_enabled_at === null) return false;
  await removeFactor(tx, userId);
  await endSessions(tx, userId);
  await recordAccountEvent(tx, { userId, kind: 'mfa-disabled', request: null });
  return true;
}
