import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { parseLocalDate, printBasicDate, printBasicDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { movedTo, printInZone } from './event-time.ts';
import { find } from './find-event.ts';
import { momentOf, openMaster } from './recurrence.ts';
import { exceptionsOf, type StoredEvent } from './stored-event.ts';
import type { Calendar, World } from './world.ts';
import { type EventBody, insertEvent, patchEvent, writableOf } from './write-event.ts';

/** An event later or earlier by so much; days of an all-day event move by whole days. */
export function movePatch({ time }: StoredEvent, byMs: number): EventBody {
  if (time.allDay) {
    const days = Math.round(byMs / dayMs);
    const moved = movedTo(time, (parseLocalDate(time.start) ?? 0) + days * dayMs);
    if (!moved.allDay) throw new Error('an all-day event stays one');
    return { start: { date: moved.start }, end: { date: moved.end } };
  }
  const edge = (ms: number, zone: string) => ({
    dateTime: printInZone(ms + byMs, loadZone(zone) ?? utc),
    timeZone: zone,
  });
  return { start: edge(time.startMs, time.startZone), end: edge(time.endMs, time.endZone) };
}

/**
 * Splits a series at "This and following events": the master ends before the instance. A new series with its own id and
 * iCalUID continues from it. Exceptions from there on are lost, as in the user interface.
 */
export function splitSeries(
  world: World,
  calendar: Calendar,
  master: StoredEvent,
  { atId, patch, nowMs }: { atId: string; patch: EventBody; nowMs: number },
): StoredEvent {
  const instance = find(calendar, atId);
  const from = momentOf(instance.original!);
  const past = openMaster(master).between(0, from).startsMs.length;
  const { recurrence, sequence: _, status: __, ...body } = writableOf(master);
  const lines = recurrence as string[];
  for (const { id, original } of exceptionsOf(calendar, master.id)) {
    if (momentOf(original!) >= from) calendar.events.delete(id);
  }
  const until = master.time.allDay ? printBasicDate(from - dayMs) : `${printBasicDateTime(from - minuteMs)}Z`;
  const ended = lines.map((line) => (line.startsWith('RRULE:') ? `${withoutEnd(line)};UNTIL=${until}` : line));
  patchEvent(world, calendar, master, { recurrence: ended }, nowMs);
  const { start, end } = writableOf({ ...master, time: movedTo(master.time, from) });
  const goesOn = lines.map((line) => continued(line, past));
  return insertEvent(world, calendar, { ...body, start, end, recurrence: goesOn, ...patch }, nowMs, master.creator);
}

const withoutEnd = (line: string) => line.replace(/;(?:UNTIL|COUNT)=[^;]*/g, '');

/** Reduces the count of a rule to the remaining instances. */
function continued(line: string, past: number): string {
  return line.replace(/COUNT=(\d+)/, (_, count: string) => `COUNT=${Math.max(1, Number(count) - past)}`);
}
