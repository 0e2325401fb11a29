import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accessContract } from './contract.ts';
import { listPasskeys } from './store/passkeys.ts';

/** The passkeys of a person, the oldest first. */
export async function listOwnPasskeys(
  app: Pick<App, 'db'>,
  actor: Actor,
): Promise<Output<typeof accessContract.listPasskeys>> {
  const rows = await listPasskeys(app.db, actor);
  return {
    passkeys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      synced: row.is_synced,
      createdAt: row.created_at.epochMilliseconds,
      lastUsedAt: row.last_used_at?.epochMilliseconds ?? null,
    })),
  };
}
