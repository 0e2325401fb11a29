import { type Hours, weekdays } from '#features/availability/rules/hours.ts';
import { dayMs, hourMs, weekdayOf } from '#kernel/time/civil.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import type { BookingFact } from './count-booking.ts';
import type { Perspective } from './measures.ts';

export interface HourCount {
  hour: number;
  count: number;
}

export interface PopularSlots {
  heatmap: HourCount[][];
  hour_histogram: HourCount[];
  top_slots: HourCount[];
  total: number;
  timezone: string;
  perspective: Perspective;
}

const mostTop = 3;

export const isTaken = ({ state }: Pick<BookingFact, 'state'>) => state === 'confirmed' || state === 'pending';

/** The local weekday (0 Monday) and hour in which a booking starts, as its hosts or its guest read it. */
export function slotOf(
  { startMs, guestZone }: Pick<BookingFact, 'startMs' | 'guestZone'>,
  { zone, perspective }: { zone: Zone; perspective: Perspective },
): { weekday: number; hour: number } {
  const own = perspective === 'invitee' && guestZone !== null ? loadZone(guestZone) : null;
  const localMs = (own ?? zone).toLocal(startMs);
  const day = Math.floor(localMs / dayMs);
  return { weekday: weekdayOf(day), hour: Math.floor((localMs - day * dayMs) / hourMs) };
}

/** When bookings that were not cancelled start. Ties go to the earlier hour. */
export function popularSlots(
  facts: Iterable<BookingFact>,
  view: { zone: Zone; perspective: Perspective },
): PopularSlots {
  const heatmap = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => ({ hour, count: 0 })));
  let total = 0;
  for (const fact of facts) {
    if (!isTaken(fact)) continue;
    const { weekday, hour } = slotOf(fact, view);
    const cell = heatmap[weekday]?.[hour];
    if (cell === undefined) continue;
    cell.count += 1;
    total += 1;
  }
  const byHour = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    count: heatmap.reduce((sum, row) => sum + (row[hour]?.count ?? 0), 0),
  }));
  const top = byHour
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || one.hour - other.hour)
    .slice(0, mostTop);
  return {
    heatmap,
    hour_histogram: byHour,
    top_slots: top,
    total,
    timezone: view.zone.id,
    perspective: view.perspective,
  };
}

/** So much of the busiest hour makes an hour one to be open in. */
const wantedRatio = 0.6;

/**
 * Hours with the closed hours added that are asked for a lot. `heatmap` is in the zone of the hours.
 * *Shape*: intervals of a day in order; those that touch are one.
 */
export function draftHours(
  hours: Hours,
  heatmap: readonly (readonly HourCount[])[],
): { after: Hours; added: { weekday: string; hour: number; count: number }[] } {
  const most = Math.max(0, ...heatmap.flat().map(({ count }) => count));
  const added: { weekday: string; hour: number; count: number }[] = [];
  const after = structuredClone(hours);
  for (const [n, name] of weekdays.entries()) {
    const day = hours.weekly[name];
    const open = day.enabled ? day.intervals.map(({ start, end }) => minutesOf(start, end)) : [];
    // hours after midnight belong to the next day
    const before = hours.weekly[weekdays[(n + 6) % 7] ?? 'sunday'];
    const left = before.enabled ? before.intervals.flatMap(({ start, end }) => overnight(minutesOf(start, end))) : [];
    const wanted = (heatmap[n] ?? []).filter(
      ({ hour, count }) =>
        count > wantedRatio * most &&
        ![...open, ...left].some(([from, to]) => from <= hour * 60 && to >= hour * 60 + 60),
    );
    if (wanted.length === 0) continue;
    for (const { hour, count } of wanted) added.push({ weekday: name, hour, count });
    const all = [...open, ...wanted.map(({ hour }) => [hour * 60, hour * 60 + 60] as [number, number])];
    after.weekly[name] = {
      enabled: true,
      intervals: merge(all).map(([from, to]) => ({ start: clock(from), end: clock(to) })),
    };
  }
  return { after, added };
}

/** Minutes of the day; beyond 1440 for what ends on the next one. */
function minutesOf(start: string, end: string): [number, number] {
  const read = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const [from, to] = [read(start), read(end)];
  return [from, to <= from ? to + 1440 : to];
}

const overnight = ([, to]: [number, number]): [number, number][] => (to > 1440 ? [[0, to - 1440]] : []);

function merge(spans: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** 24:00 is the day's own end; beyond it, the clock of the next day. */
function clock(minutes: number): string {
  const shown = minutes > 1440 ? minutes - 1440 : minutes;
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`;
}
