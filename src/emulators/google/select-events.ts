import { loadZone, utc } from '#kernel/time/zones.ts';
import { invalidParameter } from './errors.ts';
import { movedTo, parseRfc3339, spanOf } from './event-time.ts';
import { instanceId, momentOf, openMaster, originalAt } from './recurrence.ts';
import { exceptionsOf, type StoredEvent } from './stored-event.ts';
import type { Calendar } from './world.ts';

/** The filter of a list. */
export interface Filter {
  singleEvents: boolean;
  showDeleted: boolean;
  timeMinMs: number | null;
  timeMaxMs: number | null;
  updatedMinMs: number | null;
  iCalUID: string | null;
  text: string | null;
  eventTypes: string[];
  /** `key=value`; all must match exactly. */
  privateProperties: string[];
  sharedProperties: string[];
}

/** An endless series asked for without an end is shown so far ahead. */
const horizonMs = 730 * 86_400_000;
const LIMITS = { instances: 2_500, steps: 100_000 };

export function readFilter(query: URLSearchParams): Filter {
  const time = (name: string): number | null => {
    const text = query.get(name);
    if (text === null) return null;
    const ms = parseRfc3339(text);
    if (ms === null) throw invalidParameter(name);
    return ms;
  };
  return {
    singleEvents: query.get('singleEvents') === 'true',
    showDeleted: query.get('showDeleted') === 'true',
    timeMinMs: time('timeMin'),
    timeMaxMs: time('timeMax'),
    updatedMinMs: time('updatedMin'),
    iCalUID: query.get('iCalUID'),
    text: query.get('q')?.toLowerCase() ?? null,
    eventTypes: query.getAll('eventTypes'),
    privateProperties: query.getAll('privateExtendedProperty'),
    sharedProperties: query.getAll('sharedExtendedProperty'),
  };
}

/**
 * The events of a full list. Cancelled occurrences come even without `showDeleted` where masters are listed: they are
 * what the master's rule does not say. Source: Google Calendar API, Events: list.
 */
export function selectEvents(calendar: Calendar, filter: Filter, nowMs: number): StoredEvent[] {
  const kept: StoredEvent[] = [];
  for (const event of calendar.events.values()) {
    if (event.status === 'cancelled') {
      const isOccurrence = event.recurringEventId !== null;
      const shown = filter.showDeleted || (isOccurrence && !filter.singleEvents);
      if (!shown || (filter.singleEvents && event.recurrence.length > 0)) continue;
    }
    for (const one of shape(calendar, event, filter, nowMs)) if (matches(calendar, one, filter)) kept.push(one);
  }
  return kept;
}

/** Selects changed events for an incremental list, deleted ones included. */
export function selectChanged(calendar: Calendar, ids: Iterable<string>, filter: Filter, nowMs: number): StoredEvent[] {
  return [...new Set(ids)].flatMap((id) => {
    const event = calendar.events.get(id);
    if (!event) return [];
    return event.status === 'cancelled' ? [event] : shape(calendar, event, filter, nowMs);
  });
}

function shape(calendar: Calendar, event: StoredEvent, filter: Filter, nowMs: number): StoredEvent[] {
  if (!filter.singleEvents || event.recurrence.length === 0) return [event];
  return expandMaster(calendar, event, filter.timeMinMs, filter.timeMaxMs ?? nowMs + horizonMs);
}

/** The instances of a master that have a moment in the window, those without an exception of their own. */
export function expandMaster(
  calendar: Calendar,
  master: StoredEvent,
  fromMs: number | null,
  toMs: number,
): StoredEvent[] {
  const series = openMaster(master);
  const { startMs, endMs } = spanOf(master.time, 'UTC');
  const zone = series.allDay ? (loadZone(calendar.timeZone) ?? utc) : utc;
  const own = (ms: number) => (series.allDay ? zone.toLocal(ms) : ms);
  const from = fromMs === null ? series.firstMs() : own(fromMs) - (endMs - startMs) + 1;
  const taken = new Set(exceptionsOf(calendar, master.id).map(({ original }) => momentOf(original!)));
  return series
    .between(from, own(toMs), LIMITS)
    .startsMs.filter((at) => !taken.has(at))
    .map((at) => instanceOf(master, at));
}

/** An instance that nobody has changed: it exists in its master only. */
export function instanceOf(master: StoredEvent, atMs: number): StoredEvent {
  const original = originalAt(master.time.allDay, atMs);
  return {
    ...master,
    id: instanceId(master.id, original),
    recurrence: [],
    recurringEventId: master.id,
    original,
    time: movedTo(master.time, atMs),
  };
}

function matches(calendar: Calendar, event: StoredEvent, filter: Filter): boolean {
  const { fields } = event;
  if (filter.iCalUID !== null && event.iCalUID !== filter.iCalUID) return false;
  if (filter.updatedMinMs !== null && event.updatedMs < filter.updatedMinMs) return false;
  if (filter.eventTypes.length > 0 && !filter.eventTypes.includes(fields.eventType ?? 'default')) return false;
  if (filter.text !== null) {
    const words = [fields.summary, fields.description, fields.location].join(' ').toLowerCase();
    if (!words.includes(filter.text)) return false;
  }
  if (!carries(fields.extendedProperties?.private, filter.privateProperties)) return false;
  if (!carries(fields.extendedProperties?.shared, filter.sharedProperties)) return false;
  const { startMs, endMs } = reachOf(calendar, event);
  if (filter.timeMinMs !== null && endMs !== null && endMs <= filter.timeMinMs) return false;
  return filter.timeMaxMs === null || startMs < filter.timeMaxMs;
}

function carries(properties: Record<string, string> | undefined, wanted: string[]): boolean {
  return wanted.every((pair) => {
    const cut = pair.indexOf('=');
    return cut > 0 && properties?.[pair.slice(0, cut)] === pair.slice(cut + 1);
  });
}

/** From the first start to the last end; null where the series is endless. */
function reachOf(calendar: Calendar, event: StoredEvent): { startMs: number; endMs: number | null } {
  const span = spanOf(event.time, calendar.timeZone);
  if (event.recurrence.length === 0) return span;
  const lastMs = openMaster(event).lastMs();
  return { startMs: span.startMs, endMs: lastMs === null ? null : lastMs + (span.endMs - span.startMs) };
}
