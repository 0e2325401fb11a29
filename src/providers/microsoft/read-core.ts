import type { Attendee, BusyStatus, Core, SelfResponse } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { cleanText } from '#kernel/ical/ical-text.ts';
import { webLink } from '#kernel/ical/join-link.ts';
import { readTexts } from '../rest/join-line.ts';
import type { GraphEvent } from './graph-event.ts';

/** A missing or unknown status blocks. */
const busyOf: Readonly<Record<string, BusyStatus>> = {
  free: 'free',
  tentative: 'tentative',
  busy: 'busy',
  oof: 'oof',
  workingElsewhere: 'elsewhere',
};

const selfOf: Readonly<Record<string, SelfResponse>> = {
  organizer: 'organizer',
  tentativelyAccepted: 'tentative',
  accepted: 'accepted',
  notResponded: 'needs-action',
  declined: 'declined',
};

const answerOf: Readonly<Record<string, Attendee['response']>> = {
  organizer: 'accepted',
  tentativelyAccepted: 'tentative',
  accepted: 'accepted',
  declined: 'declined',
};

/**
 * Everything about an event but its time. For our own blocks only the fields that we write are read. Outlook's
 * additions (an organizer, a category, a link in the text) therefore make no difference. Source: event resource type
 * (v1.0).
 */
export function readCore(event: GraphEvent, self: ReadonlySet<string>, own: boolean): Core {
  const core: Core = {
    busy: Object.hasOwn(busyOf, event.showAs ?? '') ? (busyOf[event.showAs ?? ''] ?? 'unknown') : 'unknown',
    private: (event.sensitivity ?? 'normal') !== 'normal',
    self: 'none',
    kind: 'default',
  };
  const title = readText(event.subject, eventLimits.titleChars);
  const location = readText(event.location?.displayName, eventLimits.locationChars);
  // Markup is not what a person wrote; text is asked for with every request.
  const notes = event.body?.contentType === 'html' ? '' : readText(event.body?.content, eventLimits.notesChars);
  if (title !== '') core.title = title;
  if (own) {
    if (location !== '') core.location = location;
    if (notes !== '') core.notes = notes;
    return { ...core, busy: core.busy === 'unknown' ? 'busy' : core.busy };
  }
  core.self = selfOf[event.responseStatus?.response ?? ''] ?? 'none';
  Object.assign(core, readTexts({ location, notes }, meetingLink(event)));
  const reminders = readReminders(event);
  if (reminders !== undefined) core.reminders = reminders;
  const attendees = readAttendees(event, self);
  if (attendees.length > 0) core.attendees = attendees;
  const categories = (event.categories ?? []).map((name) => cleanText(name, 200).trim()).filter((name) => name !== '');
  if (categories.length > 0) core.categories = [...new Set(categories)].slice(0, 50);
  return core;
}

/** The link of a meeting that Outlook keeps beside the texts. */
export function meetingLink({ onlineMeeting }: GraphEvent): string | undefined {
  return webLink(onlineMeeting?.joinUrl ?? '');
}

/** Outlook has one or none; undefined where it was not told. A reminder after the start is none of ours. */
function readReminders({ isReminderOn, reminderMinutesBeforeStart: minutes }: GraphEvent): number[] | undefined {
  if (isReminderOn === false) return [];
  return isReminderOn === true && typeof minutes === 'number' && minutes >= 0 ? [minutes] : undefined;
}

/** Outlook ends lines with CRLF and adds blank ones at the end. */
function readText(text: string | null | undefined, limit: number): string {
  return cleanText(text ?? '', limit).trim();
}

function readAttendees(event: GraphEvent, self: ReadonlySet<string>): Attendee[] {
  const people = new Map<string, Attendee>();
  const add = (
    person: { name?: string | null | undefined; address?: string | null | undefined } | null | undefined,
    response: Attendee['response'],
  ) => {
    const email = (person?.address ?? '').trim().toLowerCase();
    if (!emailPattern.test(email) || self.has(email) || people.has(email) || people.size === eventLimits.attendees)
      return;
    const name = cleanText(person?.name ?? '', 200).trim();
    people.set(email, {
      email,
      ...(name === '' || name.toLowerCase() === email ? {} : { name }),
      ...(response === undefined ? {} : { response }),
    });
  };
  const attendees = event.attendees ?? [];
  for (const { type, status, emailAddress } of attendees) {
    if (type !== 'resource') add(emailAddress, answerOf[status?.response ?? ''] ?? 'needs-action');
  }
  if (attendees.length > 0) add(event.organizer?.emailAddress, 'accepted');
  return [...people.values()];
}

const emailPattern = /^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}$/;
