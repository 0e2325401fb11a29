import type * as z from 'zod/mini';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { describeItems } from '#features/calendar/public.ts';
import { isoOf, listCalendars } from '#features/connections/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { eventHitShape } from './contract.ts';
import type { Wanted } from './rules/wanted.ts';
import { findItems } from './store/hits.ts';

type EventHit = z.output<typeof eventHitShape>;

/** Events of a person alone, and those with somebody else; of each the best first, at most `limit`. */
export async function findEvents(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  wanted: Wanted,
  limit: number,
): Promise<{ events: EventHit[]; meetings: EventHit[] }> {
  const nowMs = app.clock.nowMs();
  const [found, calendars, zone] = await Promise.all([
    findItems(app.db, actor.userId, wanted, { limit, nowMs }),
    listCalendars(app.db, actor.userId),
    loadOwnerZone(app.db, actor.userId),
  ]);
  const items = await describeItems(app.db, actor.userId, [...found.events, ...found.meetings], nowMs);
  const hitOf = (id: ItemId): EventHit[] => {
    const item = items.get(id);
    const calendar = calendars.find((one) => one.id === item?.calendarId);
    if (item === undefined || calendar === undefined) return [];
    return [
      {
        event_id: item.recId === '' ? id : `${id}_${item.recId}`,
        title: item.title ?? 'Untitled',
        location: item.location ?? '',
        start_time: isoOf(item.startMs) ?? '',
        end_time: isoOf(item.endMs) ?? '',
        all_day: item.allDay,
        day: Temporal.Instant.fromEpochMilliseconds(item.startMs).toZonedDateTimeISO(zone).toPlainDate().toString(),
        recurring: item.recurring,
        calendar_name: calendar.name,
        color: calendar.color,
      },
    ];
  };
  return { events: found.events.flatMap(hitOf), meetings: found.meetings.flatMap(hitOf) };
}
