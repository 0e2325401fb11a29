import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { normalizeSpans, overlaps, type Span } from '#kernel/time/intervals.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { type ApiCall, readJson } from './call.ts';
import { badRequest, invalid } from './errors.ts';
import { parseRfc3339, printInZone, spanOf } from './event-time.ts';
import { expandMaster } from './select-events.ts';
import type { StoredEvent } from './stored-event.ts';
import { type Calendar, roleOf } from './world.ts';

/** A calendar that cannot be told about has `errors` inside an answer of 200: that is not "free". Source: Freebusy: query. */
export function queryFreeBusy(call: ApiCall): Reply {
  const { world, user, request } = call;
  const { timeMin, timeMax, timeZone, items } = readJson(request);
  const fromMs = typeof timeMin === 'string' ? parseRfc3339(timeMin) : null;
  const toMs = typeof timeMax === 'string' ? parseRfc3339(timeMax) : null;
  if (fromMs === null || toMs === null) throw badRequest('required', 'Missing or invalid timeMin or timeMax.');
  if (toMs <= fromMs) throw badRequest('timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
  const zone = loadZone(typeof timeZone === 'string' ? timeZone : 'UTC');
  if (!zone) throw invalid('Invalid time zone.');
  const calendars: Record<string, unknown> = {};
  const asked = Array.isArray(items) ? (items as { id: string }[]) : [];
  for (const [position, { id }] of asked.entries()) {
    const calendar = world.calendars.get(id === 'primary' ? user.email : id);
    const error = (reason: string) => ({ errors: [{ domain: 'global', reason }], busy: [] });
    if (position >= 50) calendars[id] = error('tooManyCalendarsRequested');
    else if (!calendar || !roleOf(calendar, user.email)) calendars[id] = error('notFound');
    else {
      const busy = normalizeSpans(busySpans(calendar, fromMs, toMs));
      calendars[id] = {
        busy: busy.map(({ startMs, endMs }) => ({ start: printInZone(startMs, zone), end: printInZone(endMs, zone) })),
      };
    }
  }
  return jsonReply(200, {
    kind: 'calendar#freeBusy',
    timeMin: printInZone(fromMs, utc),
    timeMax: printInZone(toMs, utc),
    calendars,
  });
}

function busySpans(calendar: Calendar, fromMs: number, toMs: number): Span[] {
  const window = { startMs: fromMs, endMs: toMs };
  return [...calendar.events.values()]
    .filter((event) => isBusy(event, calendar))
    .flatMap((event) => (event.recurrence.length > 0 ? expandMaster(calendar, event, fromMs, toMs) : [event]))
    .map((event) => spanOf(event.time, calendar.timeZone))
    .filter((span) => overlaps(span, window))
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) }));
}

function isBusy({ status, fields }: StoredEvent, calendar: Calendar): boolean {
  if (status === 'cancelled' || fields.transparency === 'transparent') return false;
  if (fields.eventType === 'workingLocation' || fields.eventType === 'birthday') return false;
  return !fields.attendees?.some(({ email, responseStatus }) => email === calendar.id && responseStatus === 'declined');
}
