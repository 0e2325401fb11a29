import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { readingOf } from './events.ts';
import { readConnectionsSoon } from './store/pulls.ts';

/** So many calendars are asked for by name; more come in the turn of the heartbeat. */
const mostNamed = 20;

/** Every calendar of these accounts is read once more, whatever its backoff said. */
export async function readAgain(app: Pick<App, 'news'>, tx: Tx, connectionIds: readonly ConnectionId[]): Promise<void> {
  const calendarIds = await readConnectionsSoon(tx, connectionIds);
  if (calendarIds.length > mostNamed) return;
  await app.news.announceAll(tx, readingOf(calendarIds));
}
