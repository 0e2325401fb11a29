import { ProviderError } from '#kernel/errors.ts';
import type { Attendee, Core, Series, When } from '#kernel/event.ts';
import { canonicalJson } from '#kernel/event-hash.ts';
import { endOf, lengthOf } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { utc } from '#kernel/time/zones.ts';
import type { MirrorBody } from '../port.ts';
import { writeTexts } from '../rest/join-line.ts';
import type { Instance } from '../rest/series-instances.ts';
import { type EventResource, showAsOf, unsupported } from './from-body.ts';
import type { GraphEvent } from './graph-event.ts';
import { writeEdges } from './graph-time.ts';
import type { PatternedRecurrence } from './patterned-recurrence.ts';
import { meetingLink } from './read-core.ts';
import { toPattern } from './to-pattern.ts';
import { windowsNameOf, zoneNamed } from './zones.ts';

/**
 * Converts a change of a person's event to the body of a PATCH. Only changed properties are sent, so that Outlook keeps
 * those that our model lacks. Source: Update event; event resource type.
 */

export const differ = (a: unknown, b: unknown) => canonicalJson(a ?? null) !== canonicalJson(b ?? null);

export const isEmptyChange = (fields: EventResource) => Object.keys(fields).length === 0;

/** Properties of a single event, or of a master and how it repeats; `before` null: all of them. `raw`: as it stands. */
export function bodyChanges(before: MirrorBody | null, after: MirrorBody, raw: GraphEvent | null): EventResource {
  const fields = instanceChanges(before, after, raw);
  if (after.kind === 'single') return before?.kind === 'series' ? { ...fields, recurrence: null } : fields;
  if (before?.kind === 'series' && !repeatsOtherwise(before, after)) return fields;
  // A pattern is held against the start that comes with it.
  return { ...fields, ...timesOf(after.when, raw), recurrence: patternOf(after) };
}

/** Whether Outlook restarts the series: it then forgets which of its instances were changed or cancelled. */
export function repeatsOtherwise(before: Series, after: Series): boolean {
  const repeats = ({ rules, exRules, extraDates, when }: Series) => {
    const { kind, start } = when;
    return [rules, exRules, extraDates, kind, start, when.kind === 'zoned' ? when.zone : null];
  };
  return differ(repeats(before), repeats(after));
}

/** *Errors*: `rejected` RECURRENCE_UNSUPPORTED for a rule that is no pattern of Outlook's. */
export function patternOf(series: Series): PatternedRecurrence {
  const pattern = toPattern({ ...series, exdates: [], overrides: {} });
  if (pattern !== null) return pattern;
  throw unrepeatable();
}

export function unrepeatable(): ProviderError {
  return new ProviderError(
    'rejected',
    'RECURRENCE_UNSUPPORTED',
    "Outlook can't repeat an event like this. Repeat it by days, weeks, months or years: on weekdays, on a day of the " +
      'month up to the 28th, or on its first to fourth or last weekday. Start it on one of those days.',
  );
}

/** Properties of one instance, or of an event without how it repeats. */
export function instanceChanges(before: Instance | null, after: Instance, raw: GraphEvent | null): EventResource {
  const times = before === null || differ(before.when, after.when) ? timesOf(after.when, raw) : {};
  return { ...times, ...coreChanges(before?.core ?? null, after.core, raw) };
}

function coreChanges(before: Core | null, after: Core, raw: GraphEvent | null): EventResource {
  const touched = (name: keyof Core) => before === null || differ(before[name], after[name]);
  const fields: EventResource = textChanges(before, after, raw);
  if (touched('title')) fields.subject = after.title ?? '';
  if (touched('busy')) fields.showAs = showAsOf[after.busy];
  if (touched('private')) fields.sensitivity = after.private ? 'private' : 'normal';
  if (touched('categories')) fields.categories = after.categories ?? [];
  if (touched('attendees')) fields.attendees = attendeesOf(before?.attendees ?? [], after.attendees ?? [], raw);
  // Outlook has one reminder or none, and no way back to what the mailbox has by default.
  const [nearest] = after.reminders ?? [];
  if (touched('reminders') && after.reminders !== undefined) {
    fields.isReminderOn = nearest !== undefined;
    if (nearest !== undefined) fields.reminderMinutesBeforeStart = nearest;
  }
  return fields;
}

/**
 * Every link but that of an online meeting stands in the texts. The text of an online meeting holds what keeps it one,
 * in markup that we do not read.
 *
 * Source: Update event, "body property and online meetings".
 */
function textChanges(before: Core | null, after: Core, raw: GraphEvent | null): EventResource {
  const meeting = raw === null ? undefined : meetingLink(raw);
  const replaced = before?.joinUrl !== after.joinUrl && after.joinUrl !== meeting;
  if (meeting !== undefined && (replaced || before?.notes !== after.notes)) {
    throw new ProviderError(
      'rejected',
      'CONFERENCE_KEPT',
      'The description and link belong to the online meeting. Change them in Outlook. Changing them here would remove the meeting.',
    );
  }
  const wanted = writeTexts(before, after, meeting);
  const standing = before === null ? {} : writeTexts(before, before, meeting);
  const fields: EventResource = {};
  if (wanted.location !== standing.location) fields.location = { displayName: wanted.location ?? '' };
  if (wanted.notes !== standing.notes) fields.body = { contentType: 'text', content: wanted.notes ?? '' };
  return fields;
}

/** The list as it stands without those who left and with those who came: answers, rooms and roles of others stay. */
function attendeesOf(before: readonly Attendee[], after: readonly Attendee[], raw: GraphEvent | null): unknown[] {
  const wanted = new Set(after.map(({ email }) => email.toLowerCase()));
  const left = new Set(before.map(({ email }) => email.toLowerCase())).difference(wanted);
  const addressOf = ({ emailAddress }: NonNullable<GraphEvent['attendees']>[number]) =>
    (emailAddress?.address ?? '').trim().toLowerCase();
  const stay = (raw?.attendees ?? []).filter((one) => !left.has(addressOf(one)));
  const present = new Set(stay.map(addressOf));
  const come = after.filter(({ email }) => !present.has(email.toLowerCase()));
  return [
    ...stay,
    ...come.map(({ email, name }) => ({ type: 'required', emailAddress: { address: email, name: name ?? email } })),
  ];
}

/** In the zone as given, by the name that stands there already where that is the same. All-day: midnights, end exclusive. */
function timesOf(when: When, raw: GraphEvent | null): EventResource {
  if (when.kind === 'all-day') {
    const edge = (date: string) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'UTC' });
    return { isAllDay: true, start: edge(when.start), end: edge(when.end) };
  }
  if (when.kind === 'floating') throw unsupported('a time without a time zone');
  const zone = loadEventZone(when.zone) ?? utc;
  const localMs = parseLocal(when.start) ?? 0;
  const startMs = zone.toInstant(localMs);
  const endMs = endOf(lengthOf(when.duration), startMs, localMs, zone);
  const standing = raw?.originalStartTimeZone ?? '';
  const named = !standing.startsWith('tzone:') && zoneNamed(standing) === zone.id ? standing : windowsNameOf(zone.id);
  return { isAllDay: false, ...writeEdges({ startMs, endMs }, zone, named) };
}
