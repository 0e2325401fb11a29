import type { Core, EventBody, FollowingChange, KnownPart, Provenance, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { type Component, type ContentLine, readProperty, type Scan, scanInSlices } from '#kernel/ical/content-lines.ts';
import { cleanText, unescapeText } from '#kernel/ical/ical-text.ts';
import { joinBodies } from '#kernel/ical/join-objects.ts';
import { gatherEvent, normalizeAddress, type RawEvent, rawValue, readCore, readText } from '#kernel/ical/read-event.ts';
import { inZoneOf, lengthened, splitByChanges, withPrior } from '#kernel/ical/read-following.ts';
import { readRecurrence, recIdOf } from '#kernel/ical/read-recurrence.ts';
import { readDateLine, readWhen } from '#kernel/ical/read-when.ts';
import { shortenWarnings, warning } from '#kernel/ical/reading-warning.ts';
import {
  isCancelled,
  isThisAndFuture,
  isThisAndPrior,
  latest,
  sequenceOf,
  sortRevisions,
  takesNoTime,
} from '#kernel/ical/revisions.ts';
import { type Frame, frameOf, isRepeating } from '#kernel/ical/series-frame.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import {
  createZoneLookup,
  type FileTimezones,
  indexTimezones,
  onlyZoneOf,
  type PlacedTimezone,
  timesOf,
  type ZoneLookup,
} from '#kernel/ical/zone-lookup.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { sha256 } from '#kernel/sha256.ts';
import { type Sliced, type WorkBudget, withoutPause } from '#kernel/work-budget.ts';

export interface ParseContext {
  /** The addresses of the calendar's owner, with or without `mailto:`, in any case. */
  selfAddresses: readonly string[];
  tags: TagVerifier;
  /** IANA zone of the calendar, which tells what UTC times mean on all-day and floating events. */
  calendarZone?: string | undefined;
  /** The budget of the reading. Past it reading fails with a WorkLimitError. */
  budget?: WorkBudget | undefined;
}

export interface ParsedObject {
  /** The UID; where the file has none, one made from the content. */
  uid: string;
  sequence: number | undefined;
  body: EventBody;
  provenance: Provenance;
  warnings: string[];
  /** As `Item.known`. */
  known?: KnownPart;
}

const cutOff = warning('cut-off', {});

/** `from` and `to` of Instances that are complete: everything a Temporal.Instant can name. */
const beginningMs = -8.64e15;
const endMs = 8.64e15;

/**
 * One calendar object (a CalDAV resource: one UID, its master and overrides) as a canonical event. Events of several UIDs
 * become the list of their instances.
 *
 * What it cannot represent faithfully becomes `withheld` with a reason. A cancelled event becomes Instances with an
 * empty list: it is there and takes no time.
 * Errors: none, whatever the text. Source: RFC 5545, RFC 7986, MS-OXCICAL.
 */
export function parseObject(text: string, context: ParseContext): ParsedObject {
  return withoutPause(parseObjectInSlices(text, context));
}

/** The same, with pauses. */
export function* parseObjectInSlices(text: string, context: ParseContext): Sliced<ParsedObject> {
  const scan = yield* scanInSlices(text);
  if (!scan.ok) return withheld('', warning('beyond-limits', {}), []);
  const { events, timezones } = yield* sortInSlices(scan);
  const first = events[0];
  if (first === undefined) return withheld('', warning('no-event', {}), scan.warnings);
  const uid = uidOf(first);
  if (!scan.complete) return { ...withheld(uid, cutOff, scan.warnings), known: knownOf(first, timezones) };
  const objectContext = { ...context, calendarZone: context.calendarZone ?? zoneOfFile(scan) };
  const byUid = [...Map.groupBy(events, uidOf)];
  if (byUid.length > maxUids) return withheld(uid, warning('beyond-limits', {}), scan.warnings);
  const objects: ParsedObject[] = [];
  for (const [ofUid, some] of byUid) {
    objects.push(yield* buildObject(ofUid, some, scan, timezones, objectContext));
    yield;
  }
  const [only] = objects;
  if (objects.length === 1 && only !== undefined) return only;
  const body = joinBodies(
    uid,
    objects.map((object) => object.body),
    context.budget,
  );
  const warnings = [warning('several-uids', {}), ...objects.flatMap((one) => one.warnings)];
  return { uid, sequence: undefined, body, provenance: 'foreign', warnings: shortenWarnings(warnings) };
}

/** An object of a CalDAV server should have one. */
const maxUids = 100;

/** The events, busy times, and zones of a file, in its order. */
export function sortComponents(scan: Scan): SortedComponents {
  return withoutPause(sortInSlices(scan));
}

interface SortedComponents {
  events: RawEvent[];
  freebusy: Component[];
  timezones: FileTimezones;
}

/** The same, with pauses. */
export function* sortInSlices(scan: Scan): Sliced<SortedComponents> {
  const events: RawEvent[] = [];
  const freebusy: Component[] = [];
  const timezones: PlacedTimezone[] = [];
  const placeIn = (calendar: Component | null, components: Component[]) =>
    components.toReversed().map((component) => ({ component, calendar }));
  const open = placeIn(null, scan.roots);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { component, calendar } = next;
    if (component.name === 'VEVENT') {
      events.push(gatherEvent(component, calendar));
      if (events.length % pauseEvents === 0) yield;
    } else if (component.name === 'VTIMEZONE') timezones.push(next);
    else if (component.name === 'VCALENDAR') open.push(...placeIn(component, component.components));
    else if (component.name === 'VFREEBUSY') freebusy.push(component);
  }
  return { events, freebusy, timezones: indexTimezones(scan.text, timezones) };
}

/** Events between two pauses. */
export const pauseEvents = 20;

/** The UID of an event, or '' where it has none. */
export function uidOf(raw: RawEvent): string {
  return cleanText(rawValue(raw, 'UID') ?? '', 1_000);
}

/** The calendar's own zone as the file tells it (X-WR-TIMEZONE), or undefined. A name that means no zone is a warning. */
export function zoneOfFile(scan: Scan, warnings: string[] = []): string | undefined {
  let left = maxZoneLines;
  for (const root of scan.roots) {
    for (const line of root.lines) {
      if (line.name !== 'X-WR-TIMEZONE') continue;
      const name = unescapeText(readProperty(line).value).trim();
      const zone = resolveZone(name);
      if (zone !== null) return zone.zone;
      if (name !== '') warnings.push(warning('file-zone-unknown', { zone: name }));
      left -= 1;
      if (left === 0) return undefined;
    }
  }
  return undefined;
}

/** A file has one such line, and a damaged file a few. */
const maxZoneLines = 20;

function withheld(uid: string, reason: string, warnings: string[]): ParsedObject {
  return { uid, sequence: undefined, body: { kind: 'withheld', reason }, provenance: 'foreign', warnings };
}

/**
 * The master and overrides of one UID as a ParsedObject; `parseObject` and `parseFeed` share it. The context names the zone
 * of the file, which is looked for once.
 */
export function* buildObject(
  fileUid: string,
  events: RawEvent[],
  scan: Scan,
  timezones: FileTimezones,
  context: ParseContext,
): Sliced<ParsedObject> {
  const built = yield* buildAll(fileUid, events, scan, timezones, context);
  if (built.body.kind !== 'withheld') return built;
  const master = events.find((event) => !event.one.has('RECURRENCE-ID')) ?? (events[0] as RawEvent);
  return { ...built, known: knownOf(master, timezones, context.calendarZone) };
}

/** Title and time, as far as they can be read. */
function knownOf(raw: RawEvent, timezones: FileTimezones, calendarZone?: string): KnownPart {
  const title = readText(raw, 'SUMMARY', eventLimits.titleChars, []);
  const when = readWhen(raw, createZoneLookup(timezones, calendarZone, timesOf([raw]), []), []);
  return { ...(title === undefined ? {} : { title }), ...('reason' in when ? {} : { when }) };
}

function* buildAll(
  fileUid: string,
  events: RawEvent[],
  scan: Scan,
  timezones: FileTimezones,
  context: ParseContext,
): Sliced<ParsedObject> {
  const warnings = [...scan.warnings];
  if (events.some(({ component }) => component.damaged)) return withheld(fileUid, cutOff, warnings);
  let uid = fileUid;
  if (uid === '') {
    uid = syntheticUid(events[0] as RawEvent);
    warnings.push(warning('uid-missing', {}));
  }
  if (events.length > maxParts) return withheld(uid, warning('too-many-changes', { most: maxParts }), warnings);
  const { masters, overrides } = sortRevisions(events);
  if (masters.length === 0 && overrides.some(isThisAndFuture)) {
    return withheld(uid, warning('following-without-series', {}), warnings);
  }
  const first = masters[0] ?? (events[0] as RawEvent);
  const times = timesOf([first, ...events]);
  const calendarZone = context.calendarZone ?? onlyZoneOf(timezones, times);
  const zones = createZoneLookup(timezones, calendarZone, times, warnings, first.calendar);
  const tags = events.flatMap((event) => event.tags).slice(0, maxTags);
  const own = tags.some((tag) => context.tags.verify(uid, readProperty(tag).value.trim()));
  const reader: Reader = {
    budget: context.budget,
    zones,
    warnings,
    self: selfSet(context.selfAddresses),
    own,
    textLeft: own ? Number.POSITIVE_INFINITY : mostInstanceText,
  };

  if (masters.length > 1) warnings.push(warning('several-revisions', {}));
  const master = latest(masters);
  const sequence = sequenceOf(master ?? (events[0] as RawEvent));
  const body = yield* master === null
    ? readOrphans(uid, overrides, reader)
    : readMaster(uid, master, overrides, reader);
  return { uid, sequence, body, provenance: own ? 'own' : 'foreign', warnings: shortenWarnings(warnings) };
}

/** Each costs a keyed hash. */
const maxTags = 20;
/** More than a series keeps of changed and of cancelled instances together. */
const maxParts = eventLimits.overrides + eventLimits.exdates + 1;

interface Reader {
  zones: ZoneLookup;
  warnings: string[];
  budget: WorkBudget | undefined;
  self: ReadonlySet<string>;
  own: boolean;
  /** Characters that may be kept of the texts and people of changed instances. */
  textLeft: number;
}

/** Text of all changed instances of a series together. It is hashed and stored in one piece. */
const mostInstanceText = 1_000_000;

const selfSets = new WeakMap<readonly string[], ReadonlySet<string>>();

function selfSet(addresses: readonly string[]): ReadonlySet<string> {
  let set = selfSets.get(addresses);
  if (set === undefined) {
    set = new Set(addresses.map(normalizeAddress));
    selfSets.set(addresses, set);
  }
  return set;
}

/** A UID for an event that has none: from when it is and what it is called, so that it stays over fetches. */
export function syntheticUid(raw: RawEvent): string {
  const parts = ['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'SUMMARY'].map((name) => {
    return raw.one.get(name)?.text ?? raw.rules[0]?.text ?? '';
  });
  return `no-uid-${sha256(parts.join('\n')).slice(0, 32)}`;
}

function nothing(uid: string): EventBody {
  return { kind: 'instances', of: uid, from: beginningMs, to: endMs, list: {} };
}

/** Overrides whose master we do not have (we were invited to one instance): each stands for itself. */
function* readOrphans(uid: string, overrides: RawEvent[], reader: Reader): Sliced<EventBody> {
  const list: Record<RecId, { when: When; core: Core }> = {};
  let isReadable = false;
  yield;
  for (const [recId, raw] of latestByRecId(overrides, null, reader)) {
    if (isCancelled(raw)) continue;
    const instance = readInstance(raw, null, reader);
    yield;
    if (instance === null) continue;
    if (takesNoTime(raw, instance.core, reader.warnings)) isReadable = true;
    else list[recId] = instance;
  }
  if (!isReadable && Object.keys(list).length === 0 && !overrides.every(isCancelled)) {
    return { kind: 'withheld', reason: warning('changes-alone-unreadable', {}) };
  }
  return { kind: 'instances', of: uid, from: beginningMs, to: endMs, list };
}

function* readMaster(uid: string, master: RawEvent, overrides: RawEvent[], reader: Reader): Sliced<EventBody> {
  // A cancelled series is gone, and its changed instances with it.
  if (isCancelled(master)) return nothing(uid);
  const following = overrides.filter(isThisAndFuture);
  const { warnings, zones } = reader;
  const when = readWhen(master, zones, warnings);
  if ('reason' in when) return { kind: 'withheld', reason: when.reason };
  const core = readCore(master, reader.self, reader.own, warnings);
  if (takesNoTime(master, core, warnings)) return nothing(uid);
  if (
    overrides.length === 0 &&
    master.rules.length === 0 &&
    master.extraDates.length === 0 &&
    master.exdates.length === 0
  ) {
    return { kind: 'single', when, core };
  }

  if (master.rules.length + master.exRules.length > eventLimits.rules)
    return { kind: 'withheld', reason: warning('too-many-rules', { most: eventLimits.rules }) };
  const unreadable = master.rules.find((line) => !parseRule(readProperty(line).value).ok);
  if (unreadable !== undefined) {
    return { kind: 'withheld', reason: warning('rule-unreadable', { source: unreadable.text }) };
  }
  const frame = frameOf(when, zones.calendarZone);
  const series: Series = {
    kind: 'series',
    when,
    core,
    ...(yield* readRecurrence(master, when, frame, reader)),
    overrides: {},
  };
  const exdates = new Set(series.exdates);
  let count = 0;
  const prior = overrides.filter(isThisAndPrior);
  const single = overrides.filter((raw) => !following.includes(raw) && !prior.includes(raw));
  for (const [recId, raw] of latestByRecId(single, frame, reader)) {
    if (isCancelled(raw)) {
      exdates.add(recId);
      continue;
    }
    count += 1;
    if (count > eventLimits.overrides) continue;
    const instance = readInstance(raw, series, reader);
    yield;
    if (instance === null) continue;
    // Both say something about the instance; the override is a whole event that somebody wrote, so it stands.
    if (exdates.delete(recId)) warnings.push(warning('change-of-excluded', {}));
    series.overrides[recId] = instance;
  }
  const skipped = count - eventLimits.overrides;
  if (skipped > 0) warnings.push(warning('changes-skipped', { number: skipped }));
  series.exdates = [...exdates].sort();
  if (series.exdates.length > eventLimits.exdates) {
    warnings.push(warning('dates-skipped', { property: 'EXDATE' }));
    series.exdates.length = eventLimits.exdates;
  }
  if (prior.length > 0) return yield* readPrior(series, prior, following, frame, reader);
  if (following.length > 0) return yield* readFollowing(series, following, frame, reader);
  return isRepeating(series) ? series : { kind: 'single', when, core };
}

/** The series with its changes of "this and all following". Without one of them, all that follows would be wrong. */
function* readFollowing(series: Series, following: RawEvent[], frame: Frame, reader: Reader): Sliced<EventBody> {
  if (following.length > eventLimits.followingChanges) {
    return { kind: 'withheld', reason: warning('too-many-changes', { most: eventLimits.followingChanges }) };
  }
  const unreadable: EventBody = { kind: 'withheld', reason: warning('following-unreadable', {}) };
  const changes: FollowingChange[] = [];
  if (following.some((raw) => readDateLine(raw.one.get('RECURRENCE-ID') as ContentLine, reader.zones) === null)) {
    return unreadable;
  }
  for (const [from, raw] of latestByRecId(following, frame, reader)) {
    const to = isCancelled(raw) ? null : readInstance(raw, series, reader);
    yield;
    if (to === null && !isCancelled(raw)) return unreadable;
    changes.push({
      from,
      to: to === null ? null : { ...to, when: inZoneOf(series, lengthened(series, raw, to.when)) },
    });
  }
  return yield* splitByChanges(series, changes);
}

/**
 * The series with a change of an instance and all before it, as a change of all and another one back. Several of them, or
 * beside changes of "this and all following", have no order that RFC 2445 gives.
 */
function* readPrior(
  series: Series,
  prior: RawEvent[],
  following: RawEvent[],
  frame: Frame,
  reader: Reader,
): Sliced<EventBody> {
  const [[recId, raw] = ['', null], ...others] = latestByRecId(prior, frame, reader);
  if (raw === null || others.length + following.length > 0) {
    return { kind: 'withheld', reason: warning('preceding-unsupported', {}) };
  }
  const to = isCancelled(raw) ? null : readInstance(raw, series, reader);
  if (to === null && !isCancelled(raw)) return { kind: 'withheld', reason: warning('following-unreadable', {}) };
  const change = to === null ? null : { ...to, when: inZoneOf(series, lengthened(series, raw, to.when)) };
  return yield* splitByChanges(series, withPrior(series, recId, change));
}

/** The overrides by the instance they replace, in order of time; of two for one instance the latest revision. */
function latestByRecId(overrides: RawEvent[], frame: Frame | null, reader: Reader): [RecId, RawEvent][] {
  const byRecId = new Map<RecId, RawEvent>();
  for (const raw of overrides) {
    const value = readDateLine(raw.one.get('RECURRENCE-ID') as ContentLine, reader.zones);
    if (value === null) {
      reader.warnings.push(warning('change-unnamed', {}));
      continue;
    }
    const recId = recIdOf(value, frame);
    byRecId.set(recId, latest([byRecId.get(recId) ?? raw, raw]) ?? raw);
  }
  return [...byRecId].sort(([a], [b]) => (a < b ? -1 : 1));
}

function readInstance(raw: RawEvent, series: Series | null, reader: Reader): { when: When; core: Core } | null {
  const original = readDateLine(raw.one.get('RECURRENCE-ID') as ContentLine, reader.zones) ?? undefined;
  const when = readWhen(raw, reader.zones, reader.warnings, original);
  if ('reason' in when) {
    reader.warnings.push(warning('change-unreadable', {}));
    return null;
  }
  if (!raw.one.has('DTSTART') && series !== null && !raw.one.has('DTEND') && !raw.one.has('DURATION')) {
    reader.warnings.push(warning('change-without-time', {}));
    if (when.kind !== 'all-day' && series.when.kind !== 'all-day') when.duration = series.when.duration;
  }
  return { when, core: fitCore(readCore(raw, reader.self, reader.own, reader.warnings), reader) };
}

/** The details of an instance besides its time, as far as there is room for its text. */
function fitCore(core: Core, reader: Reader): Core {
  reader.textLeft -= JSON.stringify(core).length;
  if (reader.textLeft >= 0) return core;
  reader.warnings.push(warning('changes-without-text', {}));
  const { busy, private: isPrivate, self, kind } = core;
  return { busy, private: isPrivate, self, kind };
}
