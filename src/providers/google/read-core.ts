import type { Attendee, BusyStatus, Core, EventKind, SelfResponse } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { cleanText } from '#kernel/ical/ical-text.ts';
import { webLink } from '#kernel/ical/join-link.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { readTexts } from '../rest/join-line.ts';
import { colorOfId, nearestColorId } from './colors.ts';
import type { GoogleEvent } from './resource.ts';

/**
 * Everything about an event but its time. `own` events are read literally, so that what we wrote is what we read.
 * Source: Google Calendar API, Events resource.
 */
export function readCore(event: GoogleEvent, self: ReadonlySet<string>, own: boolean, warnings: string[]): Core {
  const core: Core = {
    busy: own ? ownBusy(event) : readBusy(event),
    private: event.visibility === 'private' || event.visibility === 'confidential',
    self: 'none',
    kind: own ? 'default' : (kinds[event.eventType ?? ''] ?? 'default'),
  };
  const title = textOf(event.summary, eventLimits.titleChars, 'SUMMARY', warnings);
  const location = textOf(event.location, eventLimits.locationChars, 'LOCATION', warnings);
  const notes = textOf(event.description, eventLimits.notesChars, 'DESCRIPTION', warnings);
  const color = own ? ownColor(event) : colorOfId(event.colorId);
  if (title !== undefined) core.title = title;
  if (color !== undefined) core.color = color;
  if (own) {
    if (location !== undefined) core.location = location;
    if (notes !== undefined) core.notes = notes;
    // a block has no guests: somebody added its owner as one, who declined, and it takes no time any more
    if (readPeople(event, self, []).response === 'declined') core.busy = 'free';
    return core;
  }
  Object.assign(core, readTexts({ location, notes }, conferenceLink(event)));
  const reminders = readReminders(event);
  if (reminders !== undefined) core.reminders = reminders;
  const { people, response } = readPeople(event, self, warnings);
  core.self = response;
  if (people.length > 0) core.attendees = people;
  return core;
}

const kinds: Readonly<Record<string, EventKind>> = {
  focusTime: 'focus',
  outOfOffice: 'out-of-office',
  workingLocation: 'working-location',
  birthday: 'birthday',
  fromGmail: 'from-mail',
};

/** An unknown transparency blocks: closed when in doubt. Where somebody works, and birthdays, take no time. */
function readBusy({ transparency, status, eventType }: GoogleEvent): BusyStatus {
  if (transparency === 'transparent' || eventType === 'workingLocation' || eventType === 'birthday') return 'free';
  if (eventType === 'outOfOffice') return 'oof';
  return status === 'tentative' ? 'tentative' : 'busy';
}

/** Busy states that Google lacks are kept in a property. A later change by the user overrides it. */
function ownBusy(event: GoogleEvent): BusyStatus {
  const busy = readBusy({ ...event, eventType: 'default' });
  const kept = event.extendedProperties?.private?.holdfastBusy;
  if (busy === 'busy' && kept === 'oof') return 'oof';
  return busy === 'free' && kept === 'elsewhere' ? 'elsewhere' : busy;
}

function ownColor(event: GoogleEvent): string | undefined {
  const kept = event.extendedProperties?.private?.holdfastColor;
  return kept !== undefined && nearestColorId(kept) === event.colorId ? kept : colorOfId(event.colorId);
}

function textOf(value: string | undefined, limit: number, property: string, warnings: string[]): string | undefined {
  if (value === undefined) return undefined;
  const clean = cleanText(value, limit);
  if (clean.length === limit && value.length > limit) warnings.push(warning('text-cut', { property, most: limit }));
  return clean === '' ? undefined : clean;
}

/** Minutes before the start, whatever way Google would tell it; undefined where the calendar's own apply. */
function readReminders({ reminders }: GoogleEvent): number[] | undefined {
  if (reminders === undefined || reminders.useDefault === true) return undefined;
  const minutes = (reminders.overrides ?? []).map((one) => one.minutes ?? -1).filter((at) => at >= 0);
  return [...new Set(minutes)].sort((a, b) => a - b).slice(0, eventLimits.reminders);
}

/** The link of a conference that Google keeps beside the texts. */
export function conferenceLink({ hangoutLink, conferenceData }: GoogleEvent): string | undefined {
  const video = conferenceData?.entryPoints?.find((entry) => entry.entryPointType === 'video');
  return webLink(hangoutLink ?? '') ?? webLink(video?.uri ?? '');
}

const responses: Readonly<Record<string, NonNullable<Attendee['response']>>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentative',
  needsAction: 'needs-action',
};

const emailPattern = /^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}$/;

/** An event without guests has an organizer too, and nobody answered anything. */
function readPeople(
  { attendees = [], attendeesOmitted, organizer }: GoogleEvent,
  self: ReadonlySet<string>,
  warnings: string[],
): { people: Attendee[]; response: SelfResponse } {
  const people = new Map<string, Attendee>();
  let response: SelfResponse = 'none';
  if (attendees.length === 0) return { people: [], response };
  if (attendeesOmitted === true) warnings.push(warning('guests-hidden', {}));
  const own = ownAttendee(attendees, self);
  if (own !== undefined) response = responses[own.responseStatus ?? ''] ?? 'needs-action';
  let left = 0;
  for (const { email: given = '', displayName, self: isSelf, responseStatus, resource } of attendees) {
    const email = given.trim().toLowerCase();
    const answer = responses[responseStatus ?? ''] ?? 'needs-action';
    if (isSelf === true || self.has(email)) continue;
    else if (resource === true || !emailPattern.test(email) || people.has(email)) continue;
    else if (people.size === eventLimits.attendees) left += 1;
    else people.set(email, personOf(email, displayName, answer));
  }
  const host = organizer?.email?.trim().toLowerCase() ?? '';
  if (organizer?.self === true || self.has(host)) {
    if (response === 'none' || response === 'accepted' || response === 'needs-action') response = 'organizer';
  } else if (emailPattern.test(host) && !people.has(host) && people.size < eventLimits.attendees) {
    people.set(host, personOf(host, organizer?.displayName, 'accepted'));
  }
  if (left > 0) warnings.push(warning('guests-skipped', { number: left }));
  return { people: [...people.values()], response };
}

type GoogleAttendee = NonNullable<GoogleEvent['attendees']>[number];

/** The entry that stands for this calendar; else the first address of its owner. Source: Events, `attendees[].self`. */
export function ownAttendee(
  attendees: readonly GoogleAttendee[],
  self: ReadonlySet<string>,
): GoogleAttendee | undefined {
  return (
    attendees.find((one) => one.self === true) ??
    attendees.find(({ email = '' }) => self.has(email.trim().toLowerCase()))
  );
}

function personOf(email: string, displayName: string | undefined, response: Attendee['response']): Attendee {
  const name = cleanText(displayName?.trim() ?? '', 200);
  const person: Attendee = { email };
  if (name !== '' && name.toLowerCase() !== email) person.name = name;
  if (response !== undefined) person.response = response;
  return person;
}
