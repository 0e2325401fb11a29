import { listOwnItems, unplanCalendars } from '#features/calendar/public.ts';
import { listUnlisted } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, readDatabaseTime } from '#platform/db.ts';
import { listingWanted, planningWanted, writingAt } from './events.ts';
import { loadWorld } from './load-world.ts';
import { ownersDay } from './rules/window.ts';
import { appendAudit, trimAudit } from './store/audit.ts';
import { trimCallSums } from './store/call-sums.ts';
import { listGroupOwners, setWindowDay } from './store/groups.ts';
import { insertOrphans } from './store/leaving.ts';
import { retryFailed } from './store/mirrors.ts';
import { listUnscrubbed, wantListing } from './store/pulls.ts';

const auditKeepDays = 90;
/** A block without a row is given this long to be one that is just being written. */
const orphanAge = { hours: 1 };

/** The slow round: complete listings and lists of calendars once a day, windows at each owner's midnight, blocks without a row, old audit. */
export async function sweep(app: App): Promise<void> {
  const nowMs = app.clock.nowMs();
  const unscrubbed = await listUnscrubbed(app.db, 500);
  if (unscrubbed.length > 0) await inTransaction(app.db, async (tx) => wantListing(tx, unscrubbed, nowMs));
  for (const { userId, windowDay } of await listGroupOwners(app.db)) await rollWindow(app, userId, windowDay);
  const unlisted = await listUnlisted(app.db, 500);
  await inTransaction(app.db, (tx) =>
    app.news.announceAll(
      tx,
      unlisted.map((connectionId) => newsOf(listingWanted, { connectionId })),
    ),
  );
  await trimAudit(app.db, auditKeepDays);
  await trimCallSums(app.db);
}

/** A new day for an owner: everything is planned again for it, what failed is tried again, orphans are removed. */
async function rollWindow(app: App, userId: UserId, windowDay: string | null): Promise<void> {
  const world = await loadWorld(app.db, userId, app.clock.nowMs());
  if (windowDay === ownersDay(world.nowMs, world.zone)) return;
  const members = world.members.map((member) => member.calendarId);
  const before = (await readDatabaseTime(app.db)).subtract(orphanAge);
  await inTransaction(app.db, async (tx) => {
    await unplanCalendars(tx, members);
    const own = await listOwnItems(tx, members, before);
    for (const group of world.groups) await setWindowDay(tx, group.id, ownersDay(world.nowMs, world.zone));
    const accounts = new Set(await retryFailed(tx, userId));
    for (const connection of world.connections.values()) {
      const strays = own.filter((item) => world.calendars.get(item.calendarId)?.connectionId === connection.id);
      const removed = await insertOrphans(tx, connection, strays);
      if (removed === 0) continue;
      accounts.add(connection.id);
      await appendAudit(tx, [
        {
          userId,
          mirrorId: null,
          originItemId: null,
          type: 'mirror.orphan_removed',
          actor: 'sweep',
          status: 'pending',
          message: `${removed} unknown blocks with our tag in ${connection.label} will be removed.`,
        },
      ]);
    }
    await app.news.announceAll(tx, [newsOf(planningWanted, { userId }), ...writingAt(accounts)]);
  });
}
