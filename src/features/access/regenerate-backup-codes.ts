import { demandRecentProof, lockUser } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { renewBackupCodes } from './renew-backup-codes.ts';
import { mfaNotSetUp } from './rules/second-factor-errors.ts';
import { tellAboutFactor } from './tell-about-factor.ts';

/** New backup codes; the old ones are void. *Errors*: AppError forbidden (REAUTHENTICATE), conflict (MFA_NOT_SET_UP). */
export async function regenerateBackupCodes(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  request: RequestFacts,
): Promise<Output<typeof accessContract.regenerateBackupCodes>> {
  demandRecentProof(actor);
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (!user || user.mfa_enabled_at === null) throw mfaNotSetUp();
    const backupCodes = await renewBackupCodes(tx, actor.userId);
    await tellAboutFactor(app, tx, user, 'backup-codes-made', request);
    return { backupCodes };
  });
}
