import { randomUUID } from 'node:crypto';
import { scanComponents } from '#kernel/ical/content-lines.ts';
import { foldLine } from '#kernel/ical/ical-text.ts';
import { sortComponents } from '#kernel/ical/parse-object.ts';
import { readBusyPeriods } from '#kernel/ical/read-freebusy.ts';
import { createZoneLookup, timesOf } from '#kernel/ical/zone-lookup.ts';
import { endOf, lengthOf } from '#kernel/time/duration.ts';
import { intersectSpans, type Span } from '#kernel/time/intervals.ts';
import { parseLocal, printBasicDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { withoutPause } from '#kernel/work-budget.ts';
import type { FreeBusy } from '../../port.ts';
import type { Outbox } from '../discover.ts';
import type { DavClient } from '../http.ts';
import { readScheduleResponse } from './schedule-response.ts';

/** People of one request: a server may ask others for each. */
const mostAttendees = 50;
const answerBytes = 2_000_000;

/**
 * When these people are busy, as the server of the account tells its scheduling outbox. A person whose request status is no
 * success is told nothing of. *Source*: RFC 6638 5, RFC 5546 3.3.2 and 3.6.
 */
export async function requestFreeBusy(
  dav: DavClient,
  { url, organizer }: Outbox,
  addresses: readonly string[],
  range: Span,
  signal: AbortSignal,
): Promise<FreeBusy> {
  const found: FreeBusy = new Map(addresses.map((address) => [address, null]));
  const named = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  for (let from = 0; from < addresses.length; from += mostAttendees) {
    const body = writeRequest(organizer, addresses.slice(from, from + mostAttendees), range, dav.nowMs());
    const answers = await dav.send(
      {
        operation: 'read',
        method: 'POST',
        url,
        body,
        contentType: 'text/calendar; charset=utf-8',
        maxBytes: answerBytes,
        signal,
      },
      readScheduleResponse,
    );
    for (const { recipient, status, calendarData } of answers) {
      const address = named.get(recipient.replace(/^mailto:/i, '').toLowerCase());
      if (address === undefined || !status.startsWith('2.')) continue;
      found.set(address, readBusy(calendarData, range));
    }
  }
  return found;
}

function writeRequest(organizer: string, addresses: readonly string[], range: Span, stampMs: number): string {
  const at = (ms: number) => `${printBasicDateTime(ms)}Z`;
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Holdfast//EN',
    'METHOD:REQUEST',
    'BEGIN:VFREEBUSY',
    `UID:${randomUUID()}`,
    `DTSTAMP:${at(stampMs)}`,
    `DTSTART:${at(range.startMs)}`,
    `DTEND:${at(range.endMs)}`,
    `ORGANIZER:mailto:${organizer}`,
    ...addresses.map((address) => `ATTENDEE:mailto:${address}`),
    'END:VFREEBUSY',
    'END:VCALENDAR',
  ]
    .map(foldLine)
    .join('');
}

/** Null where it cannot be read in full: a period that is not understood is no free time. */
function readBusy(text: string, range: Span): Span[] | null {
  const scan = scanComponents(text);
  if (!scan.ok || !scan.complete || scan.damaged) return null;
  const { freebusy, timezones } = sortComponents(scan);
  if (freebusy.length === 0) return null;
  const read = withoutPause(
    readBusyPeriods(freebusy, (one) => createZoneLookup(timezones, undefined, timesOf([one]), [], one.calendar)),
  );
  if (read === null || read.unreadable > 0) return null;
  const spans = read.periods.map(({ body: { when } }): Span => {
    if (when.kind === 'all-day') return { startMs: parseLocal(when.start) ?? 0, endMs: parseLocal(when.end) ?? 0 };
    const zone = when.kind === 'zoned' ? (loadZone(when.zone) ?? utc) : utc;
    const localMs = parseLocal(when.start) ?? 0;
    const startMs = zone.toInstant(localMs);
    return { startMs, endMs: endOf(lengthOf(when.duration), startMs, localMs, zone) };
  });
  return spans.flatMap((span) => intersectSpans([span], [range]));
}
