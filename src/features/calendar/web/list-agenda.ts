import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { GridEvent } from './grid-event.ts';
import type { ShownDays } from './shown-range.ts';
import { wallSpan } from './wall-clock.ts';

/** An event on one day of the agenda. */
export interface AgendaEntry {
  event: GridEvent;
  /** Minutes of that day, half-open; undefined where the event takes the whole of it. */
  hours: { startMinute: number; endMinute: number } | undefined;
  /** Which of its days this is, from 1, of how many. */
  part: { day: number; of: number };
}

/** A day with what happens on it, or days in a row without anything. */
export type AgendaSection =
  | { kind: 'day'; dayNumber: number; entries: AgendaEntry[]; mirrors: GridEvent[] }
  | { kind: 'empty'; firstDay: number; lastDay: number };

/**
 * The days of an agenda. An event stands on every day it touches; whole days come first, then by time of begin. Blocks
 * of ours can be kept apart (`mirrors`). Days without events are gathered, except `today`, which has a section always.
 */
export function listAgenda(
  events: readonly GridEvent[],
  { firstDay, dayCount }: ShownDays,
  options: { zone: Zone; today: number; slimMirrors: boolean },
): AgendaSection[] {
  const { zone, today, slimMirrors } = options;
  const days: AgendaEntry[][] = Array.from({ length: dayCount }, () => []);
  const mirrors: GridEvent[][] = Array.from({ length: dayCount }, () => []);
  for (const event of events) {
    const { startWallMs, endWallMs } = wallSpan(zone, event);
    const first = Math.floor(startWallMs / dayMs);
    const last = Math.max(first, Math.ceil(endWallMs / dayMs) - 1);
    for (let day = Math.max(first, firstDay); day <= Math.min(last, firstDay + dayCount - 1); day += 1) {
      if (slimMirrors && event.isMirror) {
        mirrors[day - firstDay]?.push(event);
        continue;
      }
      const startMinute = Math.max(0, Math.floor((startWallMs - day * dayMs) / minuteMs));
      const endMinute = Math.min(1440, Math.ceil((endWallMs - day * dayMs) / minuteMs));
      const isWhole = event.allDay !== undefined || (startMinute === 0 && endMinute === 1440);
      days[day - firstDay]?.push({
        event,
        hours: isWhole ? undefined : { startMinute, endMinute },
        part: { day: day - first + 1, of: last - first + 1 },
      });
    }
  }
  const sections: AgendaSection[] = [];
  for (const [index, entries] of days.entries()) {
    const dayNumber = firstDay + index;
    const before = sections.at(-1);
    const blocks = mirrors[index] ?? [];
    if (entries.length > 0 || blocks.length > 0 || dayNumber === today) {
      sections.push({ kind: 'day', dayNumber, entries: entries.sort(byTime), mirrors: blocks });
    } else if (before?.kind === 'empty') before.lastDay = dayNumber;
    else sections.push({ kind: 'empty', firstDay: dayNumber, lastDay: dayNumber });
  }
  return sections;
}

const startOf = (entry: AgendaEntry) => entry.hours?.startMinute ?? -1;

function byTime(one: AgendaEntry, other: AgendaEntry): number {
  return startOf(one) - startOf(other) || Number(one.event.isMirror) - Number(other.event.isMirror);
}

/** Where in a day's entries the present lies: before the first one that begins later. */
export function placeOfNow(entries: readonly AgendaEntry[], minute: number): number {
  const later = entries.findIndex((entry) => startOf(entry) > minute);
  return later === -1 ? entries.length : later;
}

/** Minutes of a day that its busy events take, those in common once; whole days have no hours. */
export function busyMinutes(entries: readonly AgendaEntry[]): number {
  let sum = 0;
  let until = 0;
  for (const { event, hours } of entries) {
    if (hours === undefined || !event.blocks || hours.endMinute <= until) continue;
    sum += hours.endMinute - Math.max(until, hours.startMinute);
    until = hours.endMinute;
  }
  return sum;
}
