import { listPushing, pushingProviders } from '#features/connections/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { channelWorkWanted } from './events.ts';
import { listChannelWork } from './store/channels.ts';

/** Finds the accounts whose push channels need a hand: none yet, one that ages, one that nobody needs. */
export async function watchChannels(app: App): Promise<void> {
  const accounts = await listPushing(app.db, pushingProviders);
  if (accounts.length === 0) return;
  const due = await listChannelWork(app.db, accounts, app.clock.nowMs());
  await inTransaction(app.db, async (tx) => {
    for (const connectionId of due) await app.news.announce(tx, channelWorkWanted, { connectionId });
  });
}
