import { listPushing, pushingProviders } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { channelWorkWanted } from './events.ts';
import { listChannelWork } from './store/channels.ts';

/** Finds the accounts whose push channels need a hand: none yet, one that ages, one that nobody needs. */
export async function watchChannels(app: App): Promise<void> {
  const accounts = await listPushing(app.db, pushingProviders);
  if (accounts.length === 0) return;
  const due = await listChannelWork(app.db, accounts, app.clock.nowMs());
  await inTransaction(app.db, (tx) =>
    app.news.announceAll(
      tx,
      due.map((connectionId) => newsOf(channelWorkWanted, { connectionId })),
    ),
  );
}
