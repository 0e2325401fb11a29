import { listOwnItems, takePlans } from '#features/calendar/public.ts';
import { findConnectionById, forgetAccount, listCalendars, listConnections } from '#features/connections/public.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, readDatabaseTime } from '#platform/db.ts';
import { writingAt } from './events.ts';
import { appendAudit } from './store/audit.ts';
import { listChannels } from './store/channels.ts';
import { removeMembers } from './store/groups.ts';
import type { Standing } from './store/leaving.ts';
import { countStanding, dropAbandoned, dropAllOf, insertOrphans } from './store/leaving.ts';

const closingMs = 300_000;

/** How soon it is worth looking again: at once while somebody waits for it, at leisure when it takes hours. */
const pace = { soonestMs: 1_000, latestMs: 60_000, ofAge: 0.05 };

/**
 * One step of leaving without a trace; sent again after the time it answers, until that is null. By state, not by message: groups forget the
 * account's calendars, every block in them or from them becomes an intent to delete (those the ledger has lost too, by
 * their tag), and when none stands any more the account itself goes.
 */
export async function leaveWithoutTrace(app: App, connectionId: ConnectionId): Promise<number | null> {
  const connection = await findConnectionById(app.db, connectionId);
  if (connection === null) return null;

  const calendars = (await listCalendars(app.db, connection.userId)).filter((one) => one.connectionId === connectionId);
  const ids = calendars.map((calendar) => calendar.id);
  const now = await readDatabaseTime(app.db);
  const leavingMs = now.epochMilliseconds - connection.updatedAt.epochMilliseconds;
  const againMs = Math.min(Math.max(leavingMs * pace.ofAge, pace.soonestMs), pace.latestMs);
  await inTransaction(app.db, async (tx) => {
    await takePlans(tx, ids);
    await removeMembers(tx, ids);
    // as they stand now: of one whose removal has just been stored there is neither block nor row
    await insertOrphans(tx, connection, await listOwnItems(tx, ids, now));
    await app.news.announceAll(tx, writingAt(await dropAllOf(tx, ids)));
  });
  const unable = (await listConnections(app.db, connection.userId)).filter((one) => one.status === 'needs-reconnect');
  const standing = await countStanding(app.db, ids, {
    unable: unable.map((one) => one.id),
    nowMs: app.clock.nowMs(),
  });
  if (standing.waiting > 0) return againMs;
  // push channels are being closed; otherwise they expire
  const channels = await listChannels(app.db, connectionId);
  if (channels.length > 0 && app.clock.nowMs() - connection.updatedAt.epochMilliseconds < closingMs) return againMs;
  await inTransaction(app.db, async (tx) => {
    await noteAbandoned(app, tx, connection.userId, standing);
    await dropAbandoned(tx, ids);
    await forgetAccount(app, tx, connectionId, { blocks: standing.failed, reason: standing.reason });
    await app.feed.publish(tx, connection.userId, 'accounts');
    await app.feed.publish(tx, connection.userId, 'calendar');
  });
  return null;
}

/** Blocks that could not be removed (a password that no longer works, a calendar that refuses): said, not hidden. */
async function noteAbandoned(
  app: Pick<App, 'log'>,
  tx: Parameters<typeof appendAudit>[0],
  userId: UserId,
  standing: Standing,
): Promise<void> {
  if (standing.failed === 0) return;
  app.log.warn({ userId, blocks: standing.failed }, 'an account left with blocks that could not be removed');
  await appendAudit(tx, [
    {
      userId,
      mirrorId: null,
      originItemId: null,
      type: 'mirror.failed',
      actor: 'user',
      status: 'error',
      message: `${standing.failed} blocks could not be removed before the account was disconnected. They have the Holdfast tag.`,
    },
  ]);
}
