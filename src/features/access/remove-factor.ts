import { setMfa } from '#features/accounts/users/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { deleteBackupCodes } from './store/backup-codes.ts';
import { deleteChallengesOf } from './store/challenges.ts';
import { deleteTotp } from './store/totp.ts';

/** From now on no door asks for a second factor, and nothing is left of it. */
export async function removeFactor(tx: Tx, userId: UserId): Promise<void> {
  await deleteTotp(tx, userId);
  await deleteBackupCodes(tx, userId);
  await deleteChallengesOf(tx, userId);
  await setMfa(tx, userId, false);
}
