import { ProviderError } from '#kernel/errors.ts';
import type { Attendee, Core, Series, When } from '#kernel/event.ts';
import { canonicalJson } from '#kernel/event-hash.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { parseRecurrence } from '#kernel/ical/read-recurrence.ts';
import { frameOf } from '#kernel/ical/series-frame.ts';
import { recurrenceLines } from '#kernel/ical/write-recurrence.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { utc } from '#kernel/time/zones.ts';
import type { MirrorBody } from '../port.ts';
import { writeTexts } from '../rest/join-line.ts';
import { nearestColorId } from './colors.ts';
import { type Resource, timesOf } from './from-event.ts';
import { conferenceLink } from './read-core.ts';
import type { GoogleEvent } from './resource.ts';

/**
 * Converts a change of a person's event to the body of a PATCH. Only changed fields are sent, so that Google keeps the
 * fields that our model lacks. Source: Google Calendar API, Events: patch: arrays are replaced whole.
 */

export const differ = (a: unknown, b: unknown) => canonicalJson(a ?? null) !== canonicalJson(b ?? null);

/** Fields of a single event, or of a master and what it repeats; `before` null: all of them. `raw`: as it stands. */
export function bodyChanges(before: MirrorBody | null, after: MirrorBody, raw: GoogleEvent | null): Resource {
  const recurrence = recurrenceChange(before, after, raw?.recurrence ?? []);
  return {
    ...instanceChanges(before, after, raw),
    ...(recurrence === undefined ? {} : { recurrence }),
  };
}

/** Fields of one instance, or of an event without what it repeats. */
export function instanceChanges(
  before: { when: When; core: Core } | null,
  after: { when: When; core: Core },
  raw: GoogleEvent | null,
): Resource {
  const times = before === null || differ(before.when, after.when) ? timesIn(before?.when, after.when, raw) : {};
  return { ...times, ...coreChanges(before?.core ?? null, after.core, raw) };
}

/** An end may stand in another zone than the start, as a flight's does; it stays there while the start's stays. */
function timesIn(before: When | undefined, after: When, raw: GoogleEvent | null): Resource {
  const times = timesOf(after);
  const zone = raw?.end?.timeZone;
  if (zone === undefined || before?.kind !== 'zoned' || after.kind !== 'zoned' || before.zone !== after.zone)
    return times;
  return { ...times, end: { ...(times.end as Resource), timeZone: zone } };
}

/** Where nothing of ours differs, no request is made. */
export const isEmptyChange = (fields: Resource) => Object.keys(fields).length === 0;

function coreChanges(before: Core | null, after: Core, raw: GoogleEvent | null): Resource {
  const touched = (name: keyof Core) => before === null || differ(before[name], after[name]);
  const fields: Resource = textChanges(before, after, raw);
  if (touched('title')) fields.summary = after.title ?? null;
  if (touched('busy')) Object.assign(fields, busyFields(after));
  if (touched('private')) fields.visibility = after.private ? 'private' : 'default';
  if (touched('color')) fields.colorId = nearestColorId(after.color) ?? null;
  if (touched('reminders')) fields.reminders = remindersOf(after.reminders, raw);
  if (touched('attendees')) fields.attendees = attendeesOf(before?.attendees ?? [], after.attendees ?? [], raw);
  return fields;
}

/** A conference of Google's own is not ours to take away or to replace; every other link stands in the texts. */
function textChanges(before: Core | null, after: Core, raw: GoogleEvent | null): Resource {
  const conference = raw === null ? undefined : conferenceLink(raw);
  if (conference !== undefined && after.joinUrl !== conference && before?.joinUrl !== after.joinUrl) {
    throw new ProviderError(
      'rejected',
      'CONFERENCE_KEPT',
      'This meeting link belongs to the Google conference of the event. Change or remove the conference in Google ' +
        'Calendar.',
    );
  }
  const wanted = writeTexts(before, after, conference);
  const standing = before === null ? {} : writeTexts(before, before, conference);
  const fields: Resource = {};
  if (wanted.location !== standing.location) fields.location = wanted.location ?? null;
  if (wanted.notes !== standing.notes) fields.description = wanted.notes ?? null;
  return fields;
}

/** Away and working elsewhere are kinds of event at Google, which no change can give: they take time, or take none. */
function busyFields({ busy }: Core): Resource {
  if (busy === 'free' || busy === 'elsewhere') return { transparency: 'transparent' };
  return { transparency: 'opaque', status: busy === 'tentative' ? 'tentative' : 'confirmed' };
}

/** Reminders that stay keep their method, which may be a mail. */
function remindersOf(minutes: readonly number[] | undefined, raw: GoogleEvent | null): Resource {
  // An object is merged member by member: what the calendar's own reminders replace has to be emptied.
  if (minutes === undefined) return { useDefault: true, overrides: [] };
  const standing = raw?.reminders?.overrides ?? [];
  const overrides = minutes.flatMap((at) => {
    const kept = standing.filter((one) => one.minutes === at);
    return kept.length > 0 ? kept : [{ method: 'popup', minutes: at }];
  });
  return { useDefault: false, overrides: overrides.slice(0, 5) };
}

/** The list as it stands without those who left and with those who came: answers, rooms and comments of others stay. */
export function attendeesOf(
  before: readonly Attendee[],
  after: readonly Attendee[],
  raw: GoogleEvent | null,
): unknown[] {
  const addresses = (people: readonly Attendee[]) => new Set(people.map(({ email }) => email.toLowerCase()));
  const wanted = addresses(after);
  const left = addresses(before).difference(wanted);
  const stay = (raw?.attendees ?? []).filter(({ email = '' }) => !left.has(email.trim().toLowerCase()));
  const present = new Set(stay.map(({ email = '' }) => email.trim().toLowerCase()));
  const come = after.filter(({ email }) => !present.has(email.toLowerCase()));
  return [
    ...stay,
    ...come.map(({ email, name, response }) => ({
      email,
      ...(name === undefined ? {} : { displayName: name }),
      ...(response === undefined ? {} : { responseStatus: response === 'needs-action' ? 'needsAction' : response }),
    })),
  ];
}

/** Whether the instances of one are named otherwise than those of the other. */
export function isRekeyed(before: Series, after: Series): boolean {
  const frame = ({ when }: Series) => [when.kind, when.start, when.kind === 'zoned' ? when.zone : null];
  return differ(frame(before), frame(after));
}

/**
 * Returns the lines of the new master, or undefined to keep them. Unchanged lines keep their text. Newly cancelled
 * instances are not included: each is deleted separately, as in Google's own calendar. A new series, or one that begins
 * at another time, includes them.
 */
function recurrenceChange(before: MirrorBody | null, after: MirrorBody, raw: readonly string[]): unknown {
  if (after.kind === 'single') return before?.kind === 'series' ? null : undefined;
  const zone = after.when.kind === 'zoned' ? (loadEventZone(after.when.zone) ?? utc) : utc;
  const rules = after.rules.map((rule) => canonicalRule(rule, after.when, undefined) ?? rule);
  const series: Series = { ...after, rules };
  if (before?.kind !== 'series') return recurrenceLines(series, zone);

  const rekeyed = isRekeyed(before, after);
  const named = (name: string, lines: readonly string[]) => lines.filter((line) => nameOf(line) === name);
  const fresh = recurrenceLines(rekeyed ? series : { ...series, exdates: keptExdates(before, after, raw) }, zone);
  const part = (name: string, changed: boolean) => named(name, changed ? fresh : raw);
  const excluded = named('EXDATE', fresh);
  const lines = [
    ...part('RRULE', rekeyed || differ(before.rules, after.rules)),
    ...part('EXRULE', rekeyed || differ(before.exRules, after.exRules)),
    ...part('RDATE', rekeyed || differ(before.extraDates, after.extraDates)),
    ...part('EXDATE', rekeyed || excluded.length < exdatesIn(before, raw).length),
    ...raw.filter((line) => !['RRULE', 'EXRULE', 'RDATE', 'EXDATE'].includes(nameOf(line))),
  ];
  return differ(lines, raw) ? lines : undefined;
}

const nameOf = (line: string) => /^[^:;]*/.exec(line)?.[0].trim().toUpperCase() ?? '';

/** Dates that the lines exclude; cancelled instances are told otherwise. */
function exdatesIn({ when }: Series, raw: readonly string[]): string[] {
  return parseRecurrence(raw, when, frameOf(when, undefined), []).exdates;
}

function keptExdates(before: Series, after: Series, raw: readonly string[]): string[] {
  return exdatesIn(before, raw).filter((recId) => after.exdates.includes(recId));
}
