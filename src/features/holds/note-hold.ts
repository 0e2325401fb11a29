import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { holdsContract } from './contract.ts';
import { holdsChanged, holdsTopic } from './events.ts';
import { type Hold, type HoldEntry, insertEntry } from './store/holds.ts';

type Kind = Output<typeof holdsContract.readHold>['history'][number]['kind'];

/** After these somebody has to look whether anything stands over it. */
const byPerson: ReadonlySet<Kind> = new Set(['made', 'changed', 'restored']);

/** Keeps what happened to a hold, and has open screens show it. */
export async function noteHold(
  app: Pick<App, 'clock' | 'feed' | 'news'>,
  tx: Tx,
  hold: Hold,
  kind: Kind,
  details: HoldEntry['details'] = {},
): Promise<void> {
  await insertEntry(tx, hold, { atMs: app.clock.nowMs(), kind, details });
  if (byPerson.has(kind)) await app.news.announce(tx, holdsChanged, { userId: hold.userId });
  await app.feed.publish(tx, hold.userId, holdsTopic);
}
