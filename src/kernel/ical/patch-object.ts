import type { Core, RecId, Series, When } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
import { scanComponents } from '#kernel/ical/content-lines.ts';
import { draftEvent, type EventDraft, editText, lineEndOf, withLineEnd } from '#kernel/ical/event-draft.ts';
import { type FileNames, nameZones } from '#kernel/ical/file-names.ts';
import { foldLine } from '#kernel/ical/ical-text.ts';
import type { WritableBody } from '#kernel/ical/normalise-body.ts';
import {
  isCancelled,
  isThisAndFuture,
  latest,
  sequenceOf,
  sortComponents,
  yearOf,
  zoneOfFile,
} from '#kernel/ical/parse-object.ts';
import { patchCore } from '#kernel/ical/patch-core.ts';
import { dropRecurrence, patchRecurrence, type RecurrenceChange } from '#kernel/ical/patch-recurrence.ts';
import { patchWhen } from '#kernel/ical/patch-when.ts';
import type { RawEvent } from '#kernel/ical/read-event.ts';
import { recIdOf } from '#kernel/ical/read-recurrence.ts';
import { readDateLine, readWhen } from '#kernel/ical/read-when.ts';
import { frameOf } from '#kernel/ical/series-frame.ts';
import { instanceValue } from '#kernel/ical/write-recurrence.ts';
import { createZoneLookup } from '#kernel/ical/zone-lookup.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';

export interface PatchContext {
  /** Now. */
  stampMs: number;
  /** E-mail address of the calendar's owner, who becomes the organizer when people are invited. */
  owner?: string | undefined;
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
  if (!scan.ok || !scan.complete) return null;
  const { events, timezones } = sortComponents(scan);
  const master = latest(events.filter((event) => !event.one.has('RECURRENCE-ID')));
  const overrides = events.filter((event) => event.one.has('RECURRENCE-ID'));
  if (master === null || overrides.some(isThisAndFuture)) return null;
  const zones = createZoneLookup(timezones, zoneOfFile(scan), yearOf(master), []);
  const standsAt = readWhen(master, zones, []);
  if ('reason' in standsAt) return null;

  const [was, will] = [asSeries(before), asSeries(after)];
  const names = nameZones(timezones, zones);
  const frames = { before: frameOf(standsAt, zones.calendarZone), after: frameOf(will.when, zones.calendarZone) };
  const moved = !equalJson(was.when, will.when) || before.kind !== after.kind;
  const lineEnd = lineEndOf(scan.text);
  const edits = editText(scan.text);
  const sourceOf = ({ component }: RawEvent) => scan.text.slice(component.start, component.end);
  const sequence = 1 + Math.max(...events.map((event) => sequenceOf(event) ?? 0));
  const write = (source: string, change: (event: EventDraft) => boolean) => {
    const event = draftEvent(source, lineEnd);
    if (event === null) throw new RangeError('A VEVENT of the object cannot be read by itself.');
    const isReplanned = change(event);
    if (event.touched) stamp(event, context.stampMs, isReplanned ? sequence : null);
    return event.print();
  };

  const { standing, excluded, obsolete } = sortOverrides();
  for (const event of obsolete) edits.replace(event.component.start, event.component.end, '');
  const origins = matchOverrides(was, will);
  const used = new Set<RecId>();
  const lastEvent = events.at(-1) ?? master;
  for (const [recId, { when, core }] of Object.entries(will.overrides)) {
    const origin = origins.get(recId);
    const found = origin === undefined ? undefined : standing.get(origin);
    const raw = found === undefined ? null : latest(found);
    const id = () => instanceValue(recId, frames.after.kind, frames.after.zone, tzidOf(names, frames.after));
    if (raw === null || origin === undefined) {
      const added = write(sourceOf(master), (event) => {
        dropRecurrence(event);
        event.add(`RECURRENCE-ID${id()}`, event.raw.one.get('UID'));
        writeInstance(event, { when: was.when, core: was.core }, { when, core });
        return true;
      });
      edits.replace(lastEvent.component.end, lastEvent.component.end, added);
      continue;
    }
    used.add(origin);
    const known = was.overrides[origin] ?? { when, core };
    const patched = write(sourceOf(raw), (event) => {
      const line = event.raw.one.get('RECURRENCE-ID');
      const value = line === undefined ? null : readDateLine(line, zones);
      const isNamed = value !== null && recIdOf(value, frames.after) === recId;
      if (!isNamed) event.set('RECURRENCE-ID', `RECURRENCE-ID${id()}`);
      return writeInstance(event, known, { when, core }) || !isNamed;
    });
    edits.replace(raw.component.start, raw.component.end, patched);
  }
  for (const [recId, found] of standing) {
    const stays = used.has(recId) || (!moved && !(recId in was.overrides) && !will.exdates.includes(recId));
    // of two revisions of one instance the later counts; the other must not become an instance of its own
    const kept = stays ? (moved ? [latest(found)] : found) : [];
    for (const event of found) {
      if (!kept.includes(event)) edits.replace(event.component.start, event.component.end, '');
    }
  }
  const patched = write(sourceOf(master), (event) => {
    if (!equalJson(was.when, will.when)) patchWhen(event, was.when, will.when, after.kind === 'series', names);
    const change: RecurrenceChange = { before: was, after: will, frame: frames.after, moved, excluded };
    patchRecurrence(event, change, names);
    const isReplanned = event.touched;
    patchCore(event, was.core, will.core, context.owner);
    return isReplanned;
  });
  edits.replace(master.component.start, master.component.end, patched);
  const first = events[0] ?? master;
  edits.replace(first.component.start, first.component.start, withLineEnd(names.missing(yearBefore(will)), lineEnd));
  return edits.apply();

  /** The overrides by instance; those that say CANCELLED are excluded dates, or stand in the way of one that does not. */
  function sortOverrides() {
    const standing = new Map<RecId, RawEvent[]>();
    const excluded = new Set<RecId>();
    const obsolete: RawEvent[] = [];
    for (const event of overrides) {
      const line = event.one.get('RECURRENCE-ID');
      const value = line === undefined ? null : readDateLine(line, zones);
      if (value === null) continue;
      const recId = recIdOf(value, isCancelled(event) ? frames.after : frames.before);
      if (!isCancelled(event)) standing.set(recId, [...(standing.get(recId) ?? []), event]);
      else if (will.exdates.includes(recId)) excluded.add(recId);
      else if (moved || recId in will.overrides || was.exdates.includes(recId)) obsolete.push(event);
    }
    return { standing, excluded, obsolete };
  }

  function writeInstance(event: EventDraft, known: Instance, wanted: Instance): boolean {
    const isElsewhere = !equalJson(known.when, wanted.when);
    if (isElsewhere) patchWhen(event, known.when, wanted.when, false, names);
    patchCore(event, known.core, wanted.core, context.owner);
    return isElsewhere;
  }
}

interface Instance {
  when: When;
  core: Core;
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

function tzidOf(
  names: FileNames,
  { kind, zone }: { kind: When['kind']; zone: Parameters<FileNames['tzid']>[0] },
): string {
  return kind === 'zoned' ? names.tzid(zone) : zone.id;
}

/**
 * Which standing override each wanted one comes from. Where a series moves, its instances have other names: what is
 * equal goes together, then what says the same, then the rest in order.
 */
function matchOverrides(was: Series, will: Series): Map<RecId, RecId> {
  const origins = new Map<RecId, RecId>();
  const wanted = Object.keys(will.overrides).sort();
  const free = new Set(Object.keys(was.overrides).sort());
  const match = (fits: (a: RecId, b: RecId) => boolean) => {
    for (const recId of wanted) {
      if (origins.has(recId)) continue;
      const origin = [...free].find((one) => fits(one, recId));
      if (origin === undefined) continue;
      origins.set(recId, origin);
      free.delete(origin);
    }
  };
  match((a, b) => a === b);
  if (equalJson(was.when, will.when)) return origins;
  match((a, b) => equalJson(was.overrides[a], will.overrides[b]));
  match((a, b) => equalJson(was.overrides[a]?.core, will.overrides[b]?.core));
  match(() => true);
  return origins;
}

/** RFC 5545 3.8.7.4: a new sequence where the time or the recurrence is another, so that those invited are asked anew. */
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
