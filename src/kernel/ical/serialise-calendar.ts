import type { EventBody, FollowingChange } from '#kernel/event.ts';
import { escapeText, foldLine } from '#kernel/ical/ical-text.ts';
import type { WritableBody } from '#kernel/ical/normalise-body.ts';
import { eventComponents } from '#kernel/ical/serialise-mirror.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';

export interface CalendarWriter {
  /** Comes first. */
  head(): string;
  /** The components of one event or series; empty where it was never understood. */
  event(uid: string, body: EventBody): string;
  /** Comes last. */
  end(): string;
}

/** Zones are written once, when the first event needs them; a series that began before this brings its own start. */
const zonesFromYear = 1970;

/**
 * A calendar for other programs to import, piece by piece, so that none has to be held as a whole. Series stay series.
 * Read again, each event is as `normaliseBody` has it: people and answers are not written.
 *
 * *Source*: RFC 5545.
 */
export function createCalendarWriter(calendar: { name: string; stampMs: number }): CalendarWriter {
  const stamp = `DTSTAMP:${printBasicDateTime(calendar.stampMs)}Z\r\n`;
  const zones = new Set<string>();
  const one = (uid: string, body: WritableBody, changes: FollowingChange[] = []) => {
    const { zone, events } = eventComponents(body, foldLine(`UID:${escapeText(uid)}`) + stamp, changes);
    if (zone === null || zones.has(zone.id)) return events;
    zones.add(zone.id);
    return writeVtimezone(zone.id, Math.min(zone.fromYear, zonesFromYear)) + events;
  };
  return {
    head: () =>
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//Holdfast//EN\r\nCALSCALE:GREGORIAN\r\n' +
      foldLine(`NAME:${escapeText(calendar.name)}`) +
      foldLine(`X-WR-CALNAME:${escapeText(calendar.name)}`),
    event(uid, body) {
      if (body.kind === 'withheld') return '';
      if (body.kind === 'split') return one(uid, body.series, body.changes);
      if (body.kind !== 'instances') return one(uid, body);
      return Object.entries(body.list)
        .map(([recId, { when, core }]) => one(`${uid} ${recId}`, { kind: 'single', when, core }))
        .join('');
    },
    end: () => 'END:VCALENDAR\r\n',
  };
}
