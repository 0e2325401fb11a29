import type { Core, Duration, EventBody, ExtraDate, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { colorOfName, nearestColorName } from '#kernel/ical/color.ts';
import { clampMs, type DateValue, maxDurationSeconds, nominalDuration, wallDuration } from '#kernel/ical/date-value.ts';
import { cleanText } from '#kernel/ical/ical-text.ts';
import { webLink } from '#kernel/ical/join-link.ts';
import { categoryChars, maxCategories } from '#kernel/ical/read-event.ts';
import { extraDateAt, type Frame, frameMs, frameOf, isRepeating } from '#kernel/ical/series-frame.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import { endOf, lengthOf } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, parseLocalDate, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

export type WritableBody = Extract<EventBody, { kind: 'single' | 'series' }>;

/**
 * The body as an iCalendar object written by us brings it back: what should stand and what was read can be compared by
 * hash. Idempotent, and `parseObject(serialiseMirror(body)).body` equals it.
 *
 * Timed singles are in UTC. Lengths of single events and overrides are exact seconds, so that they have a DTEND. Overrides
 * in another zone than their series are in UTC; people, answers and kinds are not written.
 * *Errors*: RangeError where a start is no LocalDate or LocalDateTime, which breaks the model.
 */
export function normaliseBody(body: WritableBody): WritableBody {
  if (body.kind === 'single') return { kind: 'single', when: timesOf(body.when, utc), core: coreOf(body.core) };

  const zone = zoneOf(body.when);
  const when = timesOf(body.when, zone, true);
  const frame = frameOf(when, undefined);
  const series: Series = {
    kind: 'series',
    when,
    core: coreOf(body.core),
    rules: rulesOf(body.rules, when),
    exRules: rulesOf(body.exRules, when),
    extraDates: extraDatesOf(body.extraDates, when, frame),
    exdates: [],
    overrides: {},
  };
  for (const key of Object.keys(body.overrides).sort().slice(0, eventLimits.overrides)) {
    const recId = recIdIn(key, frame);
    const override = body.overrides[key];
    if (recId === null || override === undefined) continue;
    series.overrides[recId] = { when: timesOf(override.when, zone), core: coreOf(override.core) };
  }
  const exdates = new Set<RecId>();
  for (const key of body.exdates) {
    const recId = recIdIn(key, frame);
    if (recId !== null && series.overrides[recId] === undefined) exdates.add(recId);
  }
  series.exdates = [...exdates].sort().slice(0, eventLimits.exdates);
  return isRepeating(series) ? series : { kind: 'single', when: timesOf(body.when, utc), core: series.core };
}

function zoneOf(when: When): Zone {
  return (when.kind === 'zoned' ? loadEventZone(resolveZone(when.zone)?.zone ?? when.zone) : null) ?? utc;
}

/** A change of "this and all following" as it is written. */
export function normaliseChange(to: { when: When; core: Core }, seriesZone: Zone): { when: When; core: Core } {
  return { when: timesOf(to.when, seriesZone, true), core: coreOf(to.core) };
}

/** A time as it is written: in the zone of its series if that is its own, else in UTC. `repeats`: its days may differ. */
function timesOf(when: When, seriesZone: Zone, repeats = false): When {
  if (when.kind === 'all-day') {
    const startMs = clampMs(readLocal(when.start));
    const endMs = Math.min(parseLocalDate(when.end) ?? 0, startMs + maxDurationSeconds * 1_000);
    return {
      kind: 'all-day',
      start: printLocalDate(startMs),
      end: printLocalDate(clampMs(endMs > startMs ? endMs : startMs + dayMs)),
    };
  }
  const localMs = clampMs(readLocal(when.start));
  if (when.kind === 'floating') {
    return { kind: 'floating', start: printLocalDateTime(localMs), duration: keptDuration(when.duration) };
  }
  const zone = zoneOf(when);
  const startMs = zone.toInstant(localMs);
  const duration = durationOf(when.duration, localMs, zone, repeats && zone.id === seriesZone.id);
  if (zone.id === seriesZone.id) return { kind: 'zoned', start: printLocalDateTime(localMs), zone: zone.id, duration };
  return { kind: 'zoned', start: printLocalDateTime(clampMs(startMs)), zone: 'UTC', duration };
}

function readLocal(text: string): number {
  const ms = parseLocal(text);
  if (ms === null) throw new RangeError(`"${text}" is no local date or time.`);
  return ms;
}

/** Days count from the wall clock as it is written, in a gap of the clocks too: as the instances themselves do. */
function durationOf(duration: Duration, localMs: number, zone: Zone, repeats: boolean): Duration {
  const length = lengthOf(duration);
  const { days, exactMs } = length;
  if (repeats && days > 0) return nominalDuration(Math.floor(days), Math.floor(exactMs / secondMs));
  const startMs = zone.toInstant(localMs);
  const seconds = Math.floor((endOf(length, startMs, localMs, zone) - startMs) / secondMs);
  return { seconds: Math.min(seconds, maxDurationSeconds) };
}

/** As it is: only the zone in which it is read can tell one form of a length as another. */
function keptDuration(duration: Duration): Duration {
  const { days, wallMs, exactMs } = lengthOf(duration);
  if (wallMs > 0) return wallDuration(0, wallMs);
  return nominalDuration(Math.floor(days), Math.floor(exactMs / secondMs));
}

function coreOf(core: Core): Core {
  const normal: Core = {
    busy: core.busy === 'unknown' ? 'busy' : core.busy,
    private: core.private,
    self: 'none',
    kind: 'default',
  };
  const title = cleanText(core.title ?? '', eventLimits.titleChars);
  const location = cleanText(core.location ?? '', eventLimits.locationChars);
  const notes = cleanText(core.notes ?? '', eventLimits.notesChars);
  const joinUrl = webLink(core.joinUrl ?? '');
  if (title !== '') normal.title = title;
  if (location !== '') normal.location = location;
  if (notes !== '') normal.notes = notes;
  if (joinUrl !== undefined) normal.joinUrl = joinUrl;
  if (core.categories !== undefined) {
    const cleaned = core.categories.map((category) => cleanText(category, categoryChars).trim());
    const categories = [...new Set(cleaned)].filter((category) => category !== '').slice(0, maxCategories);
    if (categories.length > 0) normal.categories = categories;
  }
  const color = colorOfName(nearestColorName(core.color ?? '') ?? '');
  if (color !== undefined) normal.color = color;
  return normal;
}

function rulesOf(rules: string[], when: When): string[] {
  const written = rules.map((rule) => canonicalRule(rule, when, undefined)).filter((rule) => rule !== null);
  return [...new Set(written)];
}

function recIdIn(text: RecId, frame: Frame): RecId | null {
  const basic = parseRecId(text);
  if (basic === null) return null;
  const value: DateValue = {
    form: basic.form === 'local' ? 'floating' : basic.form,
    ms: basic.ms,
    zone: null,
  };
  return makeRecId(frame.kind, clampMs(frameMs(value, frame)));
}

function extraDatesOf(dates: ExtraDate[], when: When, frame: Frame): ExtraDate[] {
  const byStart = new Map<string, ExtraDate>();
  for (const { start, duration } of dates) {
    const localMs = parseLocal(start);
    if (localMs === null) continue;
    const form = start.length === 10 ? 'date' : 'floating';
    const date = extraDateAt(clampMs(frameMs({ form, ms: localMs, zone: null }, frame)), frame);
    if (duration !== undefined && frame.kind !== 'all-day') date.duration = keptDuration(duration);
    if (date.start !== when.start || date.duration !== undefined) byStart.set(date.start, date);
  }
  return [...byStart.values()].sort((a, b) => (a.start < b.start ? -1 : 1)).slice(0, eventLimits.extraDates);
}
