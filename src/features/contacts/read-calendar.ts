import { createHash } from 'node:crypto';
import { listLiveIds, listSearchable, listVersionsSince } from '#features/calendar/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { contactsTopic } from './events.ts';
import { listOwnAddresses } from './list-own-addresses.ts';
import { attendanceEdition, attendancesOf } from './rules/attendance.ts';
import { keepMet, markDue } from './store/contact-rows.ts';
import { dropGone, listRead, listUnread, replaceAttendances } from './store/meeting-rows.ts';

/** Versions compared at once, and events read in one transaction. */
const comparedAtOnce = 5_000;
const readAtOnce = 250;
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Brings contacts in line with the events of a calendar. Compares versions, so that it may run twice, late, or after a
 * crash; whoever was deleted comes back only with a meeting that was not known and is not over.
 */
export async function readCalendar(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  calendarId: CalendarId,
  signal: AbortSignal,
): Promise<void> {
  const { db } = app;
  const calendar = await findCalendar(db, calendarId);
  if (calendar === null) return;
  const { userId } = calendar;
  const own = await listOwnAddresses(db, userId);
  const readBy = createHash('sha256')
    .update([...own].sort().join(' '))
    .digest('base64url')
    .slice(0, 8);
  const readVersion = (version: string) => `${attendanceEdition} ${readBy} ${version}`;
  for (let after = first; ; ) {
    const page = await listVersionsSince(db, calendarId, null, { after, limit: comparedAtOnce });
    const unread = await listUnread(
      db,
      page.map(({ id, version }) => ({ id, version: readVersion(version) })),
    );
    for (let start = 0; start < unread.length; start += readAtOnce) {
      signal.throwIfAborted();
      await readItems(unread.slice(start, start + readAtOnce));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < comparedAtOnce) break;
    after = last.id;
  }
  await forgetGone(app, userId, calendarId);

  async function readItems(ids: ItemId[]): Promise<void> {
    const nowMs = app.clock.nowMs();
    await inTransaction(db, async (tx) => {
      const items = (await listSearchable(tx, ids)).map(({ id, version, body, endsMs }) => ({
        id,
        version: readVersion(version),
        endsMs,
        people: attendancesOf(body, own),
      }));
      if (items.length === 0) return;
      const before = await replaceAttendances(tx, userId, calendarId, items);
      const known = new Set(before.map(({ itemId, address }) => `${itemId} ${address}`));
      const met = new Map<string, { address: string; name: string | null; isNew: boolean }>();
      for (const { id, endsMs, people } of items) {
        for (const { address, name } of people) {
          const isNew = !known.has(`${id} ${address}`) && (endsMs === null || endsMs > nowMs);
          const one = met.get(address);
          met.set(address, { address, name: one?.name ?? name, isNew: isNew || (one?.isNew ?? false) });
        }
      }
      await keepMet(tx, userId, 'calendar', [...met.values()], nowMs);
      await markDue(tx, userId, [...new Set(before.map(({ address }) => address))].sort());
      if (met.size + before.length > 0) await app.feed.publish(tx, userId, contactsTopic);
    });
  }
}

async function forgetGone(
  app: Pick<App, 'db' | 'feed'>,
  userId: Parameters<typeof dropGone>[1],
  calendarId: CalendarId,
): Promise<void> {
  for (let after: string = first; ; ) {
    const page = await listRead(app.db, calendarId, { after, limit: comparedAtOnce });
    const live = await listLiveIds(app.db, page);
    const gone = page.filter((id) => !live.has(id));
    if (gone.length > 0) {
      await inTransaction(app.db, async (tx) => {
        const addresses = await dropGone(tx, userId, gone);
        await markDue(tx, userId, addresses.sort());
        await app.feed.publish(tx, userId, contactsTopic);
      });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < comparedAtOnce) return;
    after = last;
  }
}
