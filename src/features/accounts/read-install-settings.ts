import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { accountsContract } from './contract.ts';
import { requiresAdminMfa } from './store/settings.ts';

export async function readInstallSettings({
  db,
}: Pick<App, 'db'>): Promise<Output<typeof accountsContract.readInstallSettings>> {
  return { requireAdminMfa: await requiresAdminMfa(db) };
}
