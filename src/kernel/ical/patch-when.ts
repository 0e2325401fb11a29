import type { Duration, When } from '#kernel/event.ts';
import type { EventDraft } from '#kernel/ical/event-draft.ts';
import { parametersBut } from '#kernel/ical/event-draft.ts';
import type { FileNames } from '#kernel/ical/file-names.ts';
import { rawValue } from '#kernel/ical/read-event.ts';
import { readDateLine } from '#kernel/ical/read-when.ts';
import { basicOf, printDuration, zonedValue } from '#kernel/ical/write-recurrence.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { endOf, hasEnd, lengthOf as partsOf } from '#kernel/time/duration.ts';
import { parseLocal, printBasicDateTime } from '#kernel/time/local.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

const disguises = ['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT', 'X-FUNAMBOL-ALLDAY'];

/**
 * Writes when a VEVENT takes place: DTSTART where the start is another, and its end in the property that it has. A
 * length in whole days stands as DURATION in a series, where it stretches over a change of the clocks. So does any length of
 * floating times that is not on the wall clock. Elsewhere an end is written, because iCloud and older clients need it.
 */
export function patchWhen(event: EventDraft, before: When | null, after: When, isSeries: boolean, names: FileNames) {
  const { raw } = event;
  if (parseLocal(after.start) === null) throw new RangeError(`"${after.start}" is no local date or time.`);
  const start = raw.one.get('DTSTART');
  if (start === undefined || before === null || startOf(before) !== startOf(after)) {
    const content = `DTSTART${parametersBut(start, ['TZID', 'VALUE'])}${startValue(after, names)}`;
    event.set('DTSTART', content, raw.one.get('RECURRENCE-ID') ?? raw.one.get('UID'));
  }
  patchEnd(event, before, after, isSeries, names);
  if (after.kind === 'all-day') return;
  for (const name of disguises) if (rawValue(raw, name)?.toUpperCase() === 'TRUE') event.set(name, `${name}:FALSE`);
}

function startOf(when: When): string {
  return `${when.kind} ${when.start} ${when.kind === 'zoned' ? when.zone : ''}`;
}

function startValue(when: When, names: FileNames): string {
  if (when.kind === 'all-day') return `;VALUE=DATE:${basicOf(when.start)}`;
  if (when.kind === 'floating') return `:${basicOf(when.start)}`;
  const zone = names.zone(when.zone);
  return zone === utc ? `:${basicOf(when.start)}Z` : `;TZID=${names.tzid(zone)}:${basicOf(when.start)}`;
}

function patchEnd(event: EventDraft, before: When | null, after: When, isSeries: boolean, names: FileNames): void {
  const { raw } = event;
  const end = raw.one.get('DTEND');
  const length = raw.one.get('DURATION');
  const isOnClock = after.kind === 'floating' && hasEnd(after);
  const hasLengthAlone = length !== undefined && end === undefined && !isOnClock;
  const isDefault = after.kind === 'all-day' ? printed(after) === 'P1D' : printed(after) === 'PT0S';
  if (hasLengthAlone || (!isDefault && needsLength(after, isSeries))) {
    if (end !== undefined) event.put(end, null);
    const same = before !== null && hasLengthAlone && before.kind === after.kind && printed(before) === printed(after);
    if (!same) event.set('DURATION', `DURATION:${printed(after)}`, raw.one.get('DTSTART'));
    return;
  }
  if (end === undefined && isDefault) return;
  const content = `DTEND${parametersBut(end, ['TZID', 'VALUE'])}${endValue(event, before, after, names)}`;
  event.set('DTEND', content, raw.one.get('DTSTART'));
  if (length !== undefined) event.put(length, null);
}

function needsLength(when: When, isSeries: boolean): boolean {
  if (when.kind === 'all-day') return false;
  return !hasEnd(when) && (isSeries || when.kind === 'floating');
}

function lengthOf(when: When): Duration {
  if (when.kind !== 'all-day') return when.duration;
  return { days: Math.max(1, Math.round(((parseLocal(when.end) ?? 0) - (parseLocal(when.start) ?? 0)) / dayMs)) };
}

function printed(when: When): string {
  return printDuration(lengthOf(when));
}

function endValue(event: EventDraft, before: When | null, after: When, names: FileNames): string {
  if (after.kind === 'all-day') return `;VALUE=DATE:${basicOf(after.end)}`;
  const { duration } = after;
  const startMs = parseLocal(after.start) ?? 0;
  const length = partsOf(duration);
  if (after.kind === 'floating') return `:${printBasicDateTime(endOf(length, startMs, startMs, utc))}`;
  const zone = names.zone(after.zone);
  const endMs = endOf(length, zone.toInstant(startMs), startMs, zone);
  const shownIn = endZone(event, before, after, zone, names);
  return zonedValue(endMs, shownIn, names.tzid(shownIn));
}

/** Returns the zone of the end. A flight that lands in another zone keeps landing there. */
function endZone(event: EventDraft, before: When | null, after: When, zone: Zone, names: FileNames): Zone {
  const line = event.raw.one.get('DTEND');
  if (line === undefined || before?.kind !== 'zoned' || after.kind !== 'zoned' || before.zone !== after.zone)
    return zone;
  const end = readDateLine(line, names.zones);
  if (end?.form === 'utc') return utc;
  return end?.form === 'zoned' ? (end.zone ?? zone) : zone;
}
