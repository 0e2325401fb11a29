import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accessContract } from './contract.ts';
import { signInProviderOf, signInServices } from './rules/sign-in-providers.ts';
import { listIdentitiesOf } from './store/identities.ts';

/** The identities that sign this person in, in the order in which they were linked. */
export async function listIdentities(
  app: Pick<App, 'db'>,
  actor: Actor,
): Promise<Output<typeof accessContract.listIdentities>> {
  const rows = await listIdentitiesOf(app.db, actor.userId);
  return {
    identities: rows.flatMap((row) => {
      const provider = signInProviderOf(row.provider);
      if (provider === undefined) return [];
      const { id, label, created_at, last_used_at } = row;
      const times = { linkedAt: created_at.toString(), lastUsedAt: last_used_at.toString() };
      return [{ id, provider, service: signInServices[provider], label, ...times }];
    }),
  };
}
