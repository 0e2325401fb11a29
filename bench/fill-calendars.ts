import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { generateCalendar } from '#emulators/caldav/generate-calendar.ts';
import { applyChanges } from '#features/calendar/public.ts';
import type { Item } from '#kernel/event.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import type { ServedProduct } from './serve-product.ts';

const dayMs = 86_400_000;
const writtenAtOnce = 500;

interface Fill {
  /** Three to an account. */
  calendars: number;
  /** Objects in each; one in ten is a series. */
  objects: number;
  /** Number of days within which they begin. */
  days: number;
  /** The first of these days, from today. Default 0. */
  fromDay?: number;
}

/** Calendars of one person, filled as people fill theirs; answers with the thirty days from the first. */
export async function fillCalendars(
  { app, userId }: ServedProduct,
  { calendars, objects, days, fromDay = 0 }: Fill,
): Promise<{ fromMs: number; toMs: number; calendarIds: CalendarId[] }> {
  const fromMs = Math.ceil(app.clock.nowMs() / dayMs) * dayMs + fromDay * dayMs;
  const day = Temporal.Instant.fromEpochMilliseconds(fromMs).toString().slice(0, 10);
  const calendarIds: CalendarId[] = [];
  let accountId = '';
  for (let n = 0; n < calendars; n += 1) {
    const calendarId = randomUUIDv7() as string as CalendarId;
    calendarIds.push(calendarId);
    if (n % 3 === 0) accountId = randomUUIDv7();
    await sql`insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
      values (${accountId}, ${userId}, 'caldav', 'home', 'https://dav.example.com/', ${accountId}, '')
      on conflict (id) do nothing`.execute(app.db);
    await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
      values (${calendarId}, ${accountId}, ${userId}, ${`/c${n}/`}, ${`Calendar ${n}`}, '#336699', true)`.execute(
      app.db,
    );
    const generated = generateCalendar({ count: objects, fromDay: day, days, seed: n + 1, prefix: `c${n}` });
    const items = generated.map(({ name, uid, body }): Item => {
      const parsed = parseObject(body, { selfAddresses: [], tags: { verify: () => false } });
      return { ref: `/c${n}/${name}`, uid, version: '1', provenance: 'foreign', body: parsed.body };
    });
    const calendar = { calendarId, userId, calendarZone: 'America/New_York', ownerZone: 'America/New_York' };
    for (let start = 0; start < items.length; start += writtenAtOnce) {
      const batch = items.slice(start, start + writtenAtOnce);
      await inTransaction(app.db, (tx) => applyChanges(tx, calendar, { items: batch, gone: [] }, app.clock.nowMs()));
    }
  }
  return { fromMs, toMs: fromMs + 30 * dayMs, calendarIds };
}
