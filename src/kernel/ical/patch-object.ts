import type { Core, Series, When } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
import { type Component, type Scan, scanComponents } from '#kernel/ical/content-lines.ts';
import { draftEvent, type EventDraft, editText, lineEndOf, withLineEnd } from '#kernel/ical/event-draft.ts';
import { nameZones } from '#kernel/ical/file-names.ts';
import { foldLine } from '#kernel/ical/ical-text.ts';
import type { WritableBody } from '#kernel/ical/normalise-body.ts';
import { sortComponents, zoneOfFile } from '#kernel/ical/parse-object.ts';
import { type OwnSide, patchCore } from '#kernel/ical/patch-core.ts';
import { type Patch, patchOverrides } from '#kernel/ical/patch-overrides.ts';
import { patchRecurrence } from '#kernel/ical/patch-recurrence.ts';
import { patchWhen } from '#kernel/ical/patch-when.ts';
import { readWhen } from '#kernel/ical/read-when.ts';
import { isThisAndFuture, latest, sequenceOf } from '#kernel/ical/revisions.ts';
import { frameOf } from '#kernel/ical/series-frame.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import { createZoneLookup, timesOf } from '#kernel/ical/zone-lookup.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';

export interface PatchContext extends OwnSide {
  /** Now. */
  stampMs: number;
}

/**
 * The object with what differs between `before` and `after` written into it. Every property, parameter and component
 * that the difference does not name stays as it is, byte for byte and in its order; what other apps put on a series
 * goes along to a newly changed instance of it. `before` is what `parseObject` gives of the text.
 *
 * Null where the text is no event that could be changed. *Errors*: RangeError where `after` breaks the model.
 * *Source*: RFC 5545 3.8.4.4 (overrides), 3.8.7 (SEQUENCE, DTSTAMP, LAST-MODIFIED).
 */
export function patchObject(
  text: string,
  before: WritableBody,
  after: WritableBody,
  context: PatchContext,
): string | null {
  const scan = scanComponents(text);
  if (!scan.ok || !scan.complete || scan.damaged) return null;
  const { events, timezones } = sortComponents(scan);
  const master = latest(events.filter((event) => !event.one.has('RECURRENCE-ID')));
  const overrides = events.filter((event) => event.one.has('RECURRENCE-ID'));
  if (master === null || overrides.some(isThisAndFuture)) return null;
  const zones = createZoneLookup(timezones, zoneOfFile(scan), timesOf([master, ...events]), [], master.calendar);
  const standsAt = readWhen(master, zones, []);
  if ('reason' in standsAt) return null;

  const [was, will] = [asSeries(before), asSeries(after)];
  const names = nameZones(timezones, zones);
  const lineEnd = lineEndOf(scan.text);
  const edits = editText(scan.text);
  const sequence = 1 + Math.max(...events.map((event) => sequenceOf(event) ?? 0));
  const patch: Patch = {
    was,
    will,
    moved: !equalJson(was.when, will.when) || before.kind !== after.kind,
    frames: { was: frameOf(standsAt, zones.calendarZone), will: frameOf(will.when, zones.calendarZone) },
    names,
    own: context,
    rewrite({ start, end }: Component, change) {
      const event = draftEvent(scan.text.slice(start, end), lineEnd);
      if (event === null) throw new RangeError('A VEVENT of the object cannot be read by itself.');
      const isReplanned = change(event);
      if (event.touched) stamp(event, context.stampMs, isReplanned ? sequence : null);
      return event.print();
    },
    replace: ({ start, end }, text) => edits.replace(start, end, text),
    append: (text) => edits.replace(lastEnd, lastEnd, text),
  };
  const lastEnd = events.at(-1)?.component.end ?? scan.text.length;

  const excluded = patchOverrides(patch, master, overrides);
  const patched = patch.rewrite(master.component, (event) => {
    if (!equalJson(was.when, will.when)) patchWhen(event, was.when, will.when, after.kind === 'series', names);
    patchRecurrence(event, { before: was, after: will, frame: patch.frames.will, moved: patch.moved, excluded }, names);
    const isReplanned = event.touched;
    patchCore(event, was.core, will.core, context);
    return isReplanned;
  });
  patch.replace(master.component, patched);
  const firstStart = events[0]?.component.start ?? 0;
  edits.replace(firstStart, firstStart, withLineEnd(names.missing(yearBefore(will)), lineEnd));
  if (yearBefore(will) < yearBefore(was))
    for (const zone of ownTimezones(scan, lineEnd, yearBefore(was)))
      edits.replace(zone.start, zone.end, withLineEnd(writeVtimezone(zone.id, yearBefore(will)), lineEnd));
  return edits.apply();
}

/** Years before a series in which we may have written its VTIMEZONE, when it was somewhere else. */
const yearsApart = 10;

/** Our own VTIMEZONEs of an object. They begin a year before the series, so that an earlier one needs longer ones. */
function ownTimezones(
  { text, roots }: Scan,
  lineEnd: string,
  year: number,
): { id: string; start: number; end: number }[] {
  if (!text.includes('PRODID:-//Holdfast//')) return [];
  const timezones = roots.flatMap(({ components }) => components.filter(({ name }) => name === 'VTIMEZONE'));
  return timezones.flatMap(({ start, end }) => {
    const found = text.slice(start, end);
    const [, id = ''] = /^TZID:(.*\S)/m.exec(found) ?? [];
    if (loadEventZone(id) === null) return [];
    const isOurs = Array.from({ length: 2 * yearsApart + 1 }, (_, n) => year - yearsApart + n).some(
      (from) => withLineEnd(writeVtimezone(id, from), lineEnd) === found,
    );
    return isOurs ? [{ id, start, end }] : [];
  });
}

/**
 * A new object of a person: nothing in it says that we wrote it. Read again it is the body, where a single event's
 * length in days has become exact.
 */
export function writeObject(uid: string, body: WritableBody, context: PatchContext): string | null {
  const now = `${printBasicDateTime(context.stampMs)}Z`;
  const blank =
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//Holdfast//EN\r\nCALSCALE:GREGORIAN\r\nBEGIN:VEVENT\r\n' +
    `${foldLine(`UID:${uid}`)}DTSTAMP:${now}\r\nCREATED:${now}\r\nLAST-MODIFIED:${now}\r\n` +
    'DTSTART:19700101T000000Z\r\nSTATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
  const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default' };
  const when: When = { kind: 'zoned', start: '1970-01-01T00:00:00', zone: 'UTC', duration: { seconds: 0 } };
  return (
    patchObject(blank, { kind: 'single', when, core }, body, context)?.replace(/^SEQUENCE:1\r\n/gm, 'SEQUENCE:0\r\n') ??
    null
  );
}

function asSeries(body: WritableBody): Series {
  if (body.kind === 'series') return body;
  return { ...body, kind: 'series', rules: [], exRules: [], extraDates: [], exdates: [], overrides: {} };
}

/** RFC 5545 3.8.7.4: a changed time or recurrence has a new sequence, so that invited people are asked again. */
function stamp(event: EventDraft, stampMs: number, sequence: number | null): void {
  const now = `${printBasicDateTime(stampMs)}Z`;
  event.set('DTSTAMP', `DTSTAMP:${now}`, event.raw.one.get('UID'));
  if (event.raw.one.has('LAST-MODIFIED')) event.set('LAST-MODIFIED', `LAST-MODIFIED:${now}`);
  if (sequence !== null) event.set('SEQUENCE', `SEQUENCE:${sequence}`);
}

/** An observance must begin before anything of the series does. */
function yearBefore({ when, extraDates, overrides }: Series): number {
  const starts = [
    when.start,
    ...extraDates.map(({ start }) => start),
    ...Object.values(overrides).map((one) => one.when.start),
  ];
  return Math.min(...starts.map((start) => Number(start.slice(0, 4)))) - 1;
}
