import type { Core, EventBody, FollowingChange, KnownPart, Provenance, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import {
  type Component,
  type ContentLine,
  type PlacedLine,
  readProperty,
  type Scan,
  scanInSlices,
} from '#kernel/ical/content-lines.ts';
import { normalizeAddress, readTextValue } from '#kernel/ical/ical-text.ts';
import { joinBodies } from '#kernel/ical/join-objects.ts';
import { gatherEvent, isCut, type RawEvent, readCore, readText, uidOf } from '#kernel/ical/read-event.ts';
import { inZoneOf, lengthened, splitByChanges, withPrior } from '#kernel/ical/read-following.ts';
import { readRecurrence } from '#kernel/ical/read-recurrence.ts';
import { readDateLine, readWhen } from '#kernel/ical/read-when.ts';
import { losesTime, shortenWarnings, warning } from '#kernel/ical/reading-warning.ts';
import {
  isCancelled,
  isThisAndFuture,
  isThisAndPrior,
  latest,
  latestByRecId,
  lose,
  type OverrideReader,
  sequenceOf,
  sortRevisions,
  syntheticUid,
  takesNoTime,
} from '#kernel/ical/revisions.ts';
import { type Frame, frameOf, isRepeating, readOnly } from '#kernel/ical/series-frame.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import {
  createZoneLookup,
  type FileTimezones,
  indexTimezones,
  onlyZoneOf,
  type PlacedTimezone,
  timesOf,
} from '#kernel/ical/zone-lookup.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
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
 * Where parts cannot be read, the times that can be are there in a form that is only read, with a warning (`losesTime`);
 * without any it is `withheld` with a reason. A cancelled event becomes Instances with an empty list: it takes no time.
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
  const objectContext = { ...context, calendarZone: context.calendarZone ?? zoneOfFile(scan) };
  const byUid = [...Map.groupBy(events, uidOf)];
  if (byUid.length > maxUids) return withheld(uid, warning('beyond-limits', {}), scan.warnings);
  const objectScan = scan.complete ? scan : { ...scan, warnings: [...scan.warnings, cutOff] };
  const objects: ParsedObject[] = [];
  for (const [ofUid, some] of byUid) {
    objects.push(yield* buildObject(ofUid, some, objectScan, timezones, objectContext));
    yield;
  }
  const [only] = objects;
  if (objects.length === 1 && only !== undefined) return only;
  const { body, isWhole } = joinBodies(
    uid,
    objects.map((object) => object.body),
    context.budget,
  );
  const unreadable = isWhole ? [] : [warning('several-uids-unreadable', {})];
  const warnings = [warning('several-uids', {}), ...unreadable, ...objects.flatMap((one) => one.warnings)];
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
  freebusy: RawEvent[];
  timezones: FileTimezones;
}

/** The same, with pauses. */
export function* sortInSlices(scan: Scan): Sliced<SortedComponents> {
  const events: RawEvent[] = [];
  const freebusy: RawEvent[] = [];
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
    else if (component.name === 'VFREEBUSY') freebusy.push(gatherEvent(component, calendar));
  }
  return { events, freebusy, timezones: indexTimezones(scan.text, timezones) };
}

/** Events between two pauses. */
export const pauseEvents = 20;

/** The calendar's own zone as the file tells it (X-WR-TIMEZONE), or undefined. A name that means no zone is a warning. */
export function zoneOfFile(scan: Scan, warnings: string[] = []): string | undefined {
  let left = maxZoneLines;
  for (const root of scan.roots) {
    for (const line of root.lines) {
      if (line.name !== 'X-WR-TIMEZONE') continue;
      const name = readTextValue(readProperty(line).value, 200).trim();
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
  const title = readText(master, 'SUMMARY', eventLimits.titleChars, []);
  return title === undefined ? built : { ...built, known: { title } };
}

function* buildAll(
  fileUid: string,
  all: RawEvent[],
  scan: Scan,
  timezones: FileTimezones,
  context: ParseContext,
): Sliced<ParsedObject> {
  const warnings = [...scan.warnings];
  if (all.some(isCut)) warnings.push(cutOff);
  const uid = fileUid === '' ? syntheticUid(all[0] as RawEvent) : fileUid;
  if (fileUid === '') warnings.push(warning('uid-missing', {}));
  // masters first
  const inOrder = all.toSorted(
    (one, other) => Number(one.one.has('RECURRENCE-ID')) - Number(other.one.has('RECURRENCE-ID')),
  );
  const events = all.length > maxParts ? inOrder.slice(0, maxParts) : all;
  if (all.length > maxParts) warnings.push(warning('too-many-changes', { most: maxParts }));
  const { masters, overrides } = sortRevisions(events);
  if (masters.length === 0 && overrides.some(isThisAndFuture)) warnings.push(warning('following-without-series', {}));
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
    isWhole: !warnings.some(losesTime),
  };

  if (masters.length > 1) warnings.push(warning('several-revisions', {}));
  const master = latest(masters);
  const sequence = sequenceOf(master ?? (events[0] as RawEvent));
  const read = yield* master === null
    ? readOrphans(uid, overrides, reader)
    : readMaster(uid, master, overrides, reader);
  const body = reader.isWhole ? read : readOnly(uid, read);
  return { uid, sequence, body, provenance: own ? 'own' : 'foreign', warnings: shortenWarnings(warnings) };
}

/** Each costs a keyed hash. */
const maxTags = 20;
/** More than a series keeps of changed and of cancelled instances together. */
const maxParts = eventLimits.overrides + eventLimits.exdates + 1;

interface Reader extends OverrideReader {
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
    const instance = yield* readInstance(raw, null, reader);
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
  const { warnings, zones } = reader;
  const isNamed = (raw: RawEvent) => readDateLine(raw.one.get('RECURRENCE-ID') as ContentLine, zones) !== null;
  const following = overrides.filter((raw) => isThisAndFuture(raw) && isNamed(raw));
  const when = readWhen(master, zones, warnings);
  if ('reason' in when) {
    lose(reader, when.reason);
    const changed = yield* readOrphans(uid, overrides, reader);
    const isEmpty = changed.kind !== 'instances' || Object.keys(changed.list).length === 0;
    return isEmpty ? { kind: 'withheld', reason: when.reason } : changed;
  }
  const core = yield* readCore(master, reader.self, reader.own, warnings);
  if (takesNoTime(master, core, warnings)) return nothing(uid);
  if (
    overrides.length === 0 &&
    master.rules.length === 0 &&
    master.extraDates.length === 0 &&
    master.exdates.length === 0
  ) {
    return { kind: 'single', when, core };
  }

  const frame = frameOf(when, zones.calendarZone);
  const series: Series = {
    kind: 'series',
    when,
    core,
    ...(yield* readRecurrence({ ...master, ...readableRules(master, reader) }, when, frame, reader)),
    overrides: {},
  };
  const exdates = new Set(series.exdates);
  let count = 0;
  const prior = overrides.filter((raw) => isThisAndPrior(raw) && isNamed(raw));
  const single = overrides.filter((raw) => !following.includes(raw) && !prior.includes(raw));
  for (const [recId, raw] of latestByRecId(single, frame, reader)) {
    if (isCancelled(raw)) {
      exdates.add(recId);
      continue;
    }
    count += 1;
    if (count > eventLimits.overrides) continue;
    const instance = yield* readInstance(raw, series, reader);
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

/** The rules of a series that can be read. Too many are not looked at. */
function readableRules({ rules, exRules }: RawEvent, reader: Reader): Pick<RawEvent, 'rules' | 'exRules'> {
  if (rules.length + exRules.length > eventLimits.rules) {
    lose(reader, warning('too-many-rules', { most: eventLimits.rules }));
    return { rules: [], exRules: [] };
  }
  const isReadable = (line: PlacedLine) => parseRule(readProperty(line).value).ok;
  for (const { text } of rules.filter((line) => !isReadable(line))) {
    lose(reader, warning('rule-unreadable', { source: text }));
  }
  return { rules: rules.filter(isReadable), exRules };
}

/** The series with its changes of "this and all following", as far as they can be read. */
function* readFollowing(series: Series, following: RawEvent[], frame: Frame, reader: Reader): Sliced<EventBody> {
  const most = eventLimits.followingChanges;
  if (following.length > most) lose(reader, warning('too-many-changes', { most }));
  const changes: FollowingChange[] = [];
  for (const [from, raw] of latestByRecId(following.slice(0, most), frame, reader)) {
    const to = isCancelled(raw) ? null : yield* readInstance(raw, series, reader);
    if (to === null && !isCancelled(raw)) {
      lose(reader, warning('following-unreadable', {}));
      continue;
    }
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
    lose(reader, warning('preceding-unsupported', {}));
    return yield* readFollowing(series, following, frame, reader);
  }
  const to = isCancelled(raw) ? null : yield* readInstance(raw, series, reader);
  if (to === null && !isCancelled(raw)) {
    lose(reader, warning('following-unreadable', {}));
    return series;
  }
  const change = to === null ? null : { ...to, when: inZoneOf(series, lengthened(series, raw, to.when)) };
  return yield* splitByChanges(series, withPrior(series, recId, change));
}

type Instance = { when: When; core: Core };

function* readInstance(raw: RawEvent, series: Series | null, reader: Reader): Sliced<Instance | null> {
  yield;
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
  return { when, core: fitCore(yield* readCore(raw, reader.self, reader.own, reader.warnings), reader) };
}

/** The details of an instance besides its time, as far as there is room for its text. */
function fitCore(core: Core, reader: Reader): Core {
  reader.textLeft -= JSON.stringify(core).length;
  if (reader.textLeft >= 0) return core;
  reader.warnings.push(warning('changes-without-text', {}));
  const { busy, private: isPrivate, self, kind } = core;
  return { busy, private: isPrivate, self, kind };
}
