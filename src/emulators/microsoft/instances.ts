import { dayMs } from '#kernel/time/civil.ts';
import { zoneOf } from './graph-time.ts';
import { dayOf, patternDays } from './recurrence-pattern.ts';
import type { CalendarEvent, EventContent } from './world.ts';

/** One thing that stands in a calendar view: a single event, or one instance of a series. */
export interface Instance {
  event: CalendarEvent;
  /** Day number of its original start; null for a single event. */
  day: number | null;
  type: 'singleInstance' | 'occurrence' | 'exception';
  content: EventContent;
  startMs: number;
  endMs: number;
}

export interface Window {
  fromMs: number;
  toMs: number;
}

/** The instances with a moment in the window, by start. Half-open. */
export function instancesIn(event: CalendarEvent, window: Window): Instance[] {
  const found: Instance[] = [];
  const add = (instance: Instance) => {
    const { startMs, endMs } = instance;
    const inside = startMs < window.toMs && (endMs > window.fromMs || (endMs === startMs && startMs >= window.fromMs));
    if (inside) found.push(instance);
  };
  if (!event.recurrence) {
    add(place(event, null, 'singleInstance', event.content));
    return found;
  }
  for (const day of event.exceptions.keys()) add(instanceOn(event, day)!);
  const lastDay = Math.ceil(window.toMs / dayMs) + 1;
  for (const day of patternDays(event.recurrence)) {
    if (day > lastDay) break;
    if (!event.exceptions.has(day) && !event.cancelledDays.has(day)) {
      add(place(event, day, 'occurrence', contentOn(event, day)));
    }
  }
  return found.sort((a, b) => a.startMs - b.startMs);
}

/** The instance whose original start is on a day; null where the series has none, or has it no more. */
export function instanceOn(event: CalendarEvent, day: number): Instance | null {
  if (!event.recurrence || event.cancelledDays.has(day)) return null;
  const changes = event.exceptions.get(day);
  if (changes) return place(event, day, 'exception', { ...contentOn(event, day), ...changes });
  for (const one of patternDays(event.recurrence)) {
    if (one > day) return null;
    if (one === day) return place(event, day, 'occurrence', contentOn(event, day));
  }
  return null;
}

/** The neighbours an exception may not reach: the instances before and after it, where they stand now. */
export function neighboursOf(event: CalendarEvent, day: number): { before: Instance | null; after: Instance | null } {
  const standing = (one: number): Instance => {
    const changes = event.exceptions.get(one);
    const content = contentOn(event, one);
    return changes
      ? place(event, one, 'exception', { ...content, ...changes })
      : place(event, one, 'occurrence', content);
  };
  let before: number | null = null;
  for (const one of patternDays(event.recurrence!)) {
    if (event.cancelledDays.has(one) || one === day) continue;
    if (one > day) return { before: before === null ? null : standing(before), after: standing(one) };
    before = one;
  }
  return { before: before === null ? null : standing(before), after: null };
}

/** When an instance would start had nobody moved it. */
export function originalStartMs(event: CalendarEvent, day: number): number {
  return startOf(contentOn(event, day));
}

/** An event, or an instance, on the clock of the world. An all-day event has no zone: its dates are read as UTC. */
export function startOf(content: EventContent): number {
  return content.isAllDay ? content.startLocalMs : zoneOf(content.startZone).toInstant(content.startLocalMs);
}

export function endOf(content: EventContent): number {
  return content.isAllDay ? content.endLocalMs : zoneOf(content.endZone).toInstant(content.endLocalMs);
}

function contentOn(event: CalendarEvent, day: number): EventContent {
  const { content } = event;
  const startLocalMs = day * dayMs + (content.startLocalMs - startDay(event) * dayMs);
  return { ...content, startLocalMs, endLocalMs: startLocalMs + (content.endLocalMs - content.startLocalMs) };
}

function startDay(event: CalendarEvent): number {
  return event.recurrence ? dayOf(event.recurrence.range.startDate) : Math.floor(event.content.startLocalMs / dayMs);
}

function place(event: CalendarEvent, day: number | null, type: Instance['type'], content: EventContent): Instance {
  return { event, day, type, content, startMs: startOf(content), endMs: endOf(content) };
}
