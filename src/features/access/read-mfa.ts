import { getMfaSince } from '#features/accounts/users/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accessContract } from './contract.ts';
import { backupCodeCount } from './rules/second-factor.ts';
import { countBackupCodes } from './store/backup-codes.ts';

/** Whether somebody has a second factor, and how many backup codes are left. */
export async function readMfa({ db }: Pick<App, 'db'>, actor: Actor): Promise<Output<typeof accessContract.readMfa>> {
  const [enabledSince, backupCodesLeft] = [await getMfaSince(db, actor), await countBackupCodes(db, actor.userId)];
  return { enabledSince, backupCodesLeft, backupCodeCount };
}
