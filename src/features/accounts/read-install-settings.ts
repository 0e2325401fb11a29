import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { accountsContract } from './contract.ts';
import { listBlocked, readSignUp, requiresAdminMfa } from './store/settings.ts';

export async function readInstallSettings({
  db,
}: Pick<App, 'db'>): Promise<Output<typeof accountsContract.readInstallSettings>> {
  const [requireAdminMfa, { policy, allowed }, blockedGuests] = await Promise.all([
    requiresAdminMfa(db),
    readSignUp(db),
    listBlocked(db),
  ]);
  return { requireAdminMfa, signUp: policy, signUpAllowed: allowed, blockedGuests };
}
