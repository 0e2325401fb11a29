import { customZone, printDateTime, printInstant, printStamp, zoneOf } from './graph-time.ts';
import { endOf, type Instance, instanceOn, originalStartMs, startOf } from './instances.ts';
import { eventId, iCalUid, occurrenceId } from './item-ids.ts';
import type { Expand, Preferences } from './read-query.ts';
import type { Recurrence } from './recurrence-pattern.ts';
import type { CalendarEvent, EventContent, Mailbox } from './world.ts';

/** How an event is shown: by whom, and as whom the request prefers it. */
export interface Presentation {
  mailbox: Mailbox;
  preferences: Preferences;
  /** Root of the service, for @odata.context. */
  graphBase: string;
  /** Set where a fault asks for a peculiar answer. */
  quirk: string | null;
}

export function etagOf(event: CalendarEvent): string {
  return `W/"${changeKeyOf(event)}"`;
}

function changeKeyOf(event: CalendarEvent): string {
  return Buffer.from(`calendar item ${String(event.version).padStart(10, '0')}`).toString('base64');
}

/** The event itself: a single event, or the master of a series. */
export function presentEvent(to: Presentation, event: CalendarEvent): Record<string, unknown> {
  const type = event.recurrence ? 'seriesMaster' : 'singleInstance';
  return present(to, event, null, type, event.content);
}

export function presentInstance(to: Presentation, instance: Instance): Record<string, unknown> {
  return present(to, instance.event, instance.day, instance.type, instance.content);
}

/** The stub of an occurrence in delta: no subject, no showAs, no isAllDay. */
export function presentStub(to: Presentation, instance: Instance): Record<string, unknown> {
  const { event, day, type, content } = instance;
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': etagOf(event),
    seriesMasterId: eventId(to.mailbox, event, null, to.preferences.immutableIds),
    type,
    id: eventId(to.mailbox, event, day, to.preferences.immutableIds),
    ...times(to, content),
  };
}

/** Only what was asked for; the id, the etag and what was expanded always come. */
export function selectFrom(
  shown: Record<string, unknown>,
  select: ReadonlySet<string> | null,
  expanded: Record<string, unknown> = {},
): Record<string, unknown> {
  const { cancelledOccurrences, ...rest } = shown;
  // Told only to those who ask for it by name.
  if (!select) return { ...rest, ...expanded };
  const kept = Object.entries({ ...rest, cancelledOccurrences }).filter(
    ([name, value]) => name.startsWith('@') || name === 'id' || (select.has(name) && value !== undefined),
  );
  return { ...Object.fromEntries(kept), ...expanded };
}

/** Returns the fields that `$expand` adds to an event or instance. Extended properties come this way only. */
export function expandEvent(
  to: Presentation,
  event: CalendarEvent,
  expand: Expand,
  day: number | null = null,
): Record<string, unknown> {
  const added: Record<string, unknown> = {};
  if (expand.exceptionOccurrences && event.recurrence && day === null) {
    added.exceptionOccurrences = [...event.exceptions.keys()]
      .sort((a, b) => a - b)
      .flatMap((day) => instanceOn(event, day) ?? [])
      .map((instance) => selectFrom(presentInstance(to, instance), null));
  }
  if (expand.extendedId !== null) {
    const key = extendedKey(expand.extendedId);
    const value = event.extended.get(instanceKey(day, key)) ?? event.extended.get(key);
    if (value !== undefined) added.singleValueExtendedProperties = [{ id: expand.extendedId, value }];
  }
  return added;
}

/** An instance may have a property of its own; without one it has that of its series. */
export function instanceKey(day: number | null, key: string): string {
  return day === null ? key : `${day} ${key}`;
}

/** `String {GUID} Name x`: the GUID in any case, the name as it is. */
export function extendedKey(id: string): string {
  return id.replace(/\{[^}]*\}/, (guid) => guid.toLowerCase());
}

function present(
  to: Presentation,
  event: CalendarEvent,
  day: number | null,
  type: string,
  content: EventContent,
): Record<string, unknown> {
  const { mailbox, preferences } = to;
  const immutable = preferences.immutableIds;
  const id = eventId(mailbox, event, day, immutable);
  const master = type === 'seriesMaster';
  return {
    '@odata.etag': etagOf(event),
    id,
    createdDateTime: printStamp(event.createdAtMs),
    lastModifiedDateTime: printStamp(event.modifiedAtMs),
    changeKey: changeKeyOf(event),
    categories: content.categories,
    transactionId: event.transactionId,
    originalStartTimeZone: shownZone(to, content.startZone),
    originalEndTimeZone: shownZone(to, content.endZone),
    iCalUId: iCalUid(event, day),
    uid: iCalUid(event, null),
    reminderMinutesBeforeStart: content.reminderMinutesBeforeStart,
    isReminderOn: content.isReminderOn,
    hasAttachments: false,
    subject: content.subject,
    bodyPreview: content.body.content.replaceAll(/<[^>]*>/g, '').slice(0, 255),
    importance: content.importance,
    sensitivity: content.sensitivity,
    isAllDay: content.isAllDay,
    isCancelled: content.isCancelled,
    isOrganizer: content.organizer.address === mailbox.address,
    responseRequested: content.responseRequested,
    seriesMasterId: day === null ? null : eventId(mailbox, event, null, immutable),
    showAs: content.showAs,
    type,
    webLink: `https://outlook.office365.com/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`,
    onlineMeetingUrl: null,
    isOnlineMeeting: content.joinUrl !== null,
    onlineMeetingProvider: content.joinUrl === null ? 'unknown' : 'teamsForBusiness',
    allowNewTimeProposals: content.allowNewTimeProposals,
    occurrenceId: day === null ? null : occurrenceId(mailbox, event, day, immutable),
    isDraft: content.isDraft,
    hideAttendees: content.hideAttendees,
    responseStatus: {
      response: content.response,
      time: content.respondedAtMs === null ? '0001-01-01T00:00:00Z' : printInstant(content.respondedAtMs),
    },
    body: bodyOf(content, preferences),
    ...times(to, content),
    location: {
      displayName: content.location,
      locationType: 'default',
      uniqueId: content.location,
      uniqueIdType: 'private',
    },
    locations: content.location === '' ? [] : [{ displayName: content.location, locationType: 'default' }],
    recurrence: master && event.recurrence ? presentRecurrence(to, event.recurrence) : null,
    ...(day === null ? {} : { originalStart: printInstant(originalStartMs(event, day)) }),
    attendees: content.attendees,
    organizer: { emailAddress: content.organizer },
    onlineMeeting: content.joinUrl === null ? null : { joinUrl: content.joinUrl },
    ...(master
      ? {
          cancelledOccurrences: [...event.cancelledDays]
            .sort((a, b) => a - b)
            .map((one) => occurrenceId(mailbox, event, one, immutable)),
        }
      : {}),
  };
}

function presentRecurrence(to: Presentation, { pattern, range }: Recurrence): Recurrence {
  return { pattern, range: { ...range, recurrenceTimeZone: shownZone(to, range.recurrenceTimeZone) } };
}

/** A zone that no table knows, where a fault says so (M17). */
function shownZone({ quirk }: Presentation, name: string): string {
  if (quirk === 'custom-zone') return customZone;
  return quirk === 'unknown-zone' ? 'Middle-earth Standard Time' : name;
}

/** start and end in the zone that was asked for. An all-day event stays at midnight in every zone. */
function times({ preferences: { timeZone } }: Presentation, content: EventContent): Record<string, unknown> {
  const zone = zoneOf(timeZone);
  const inZone = (floatingMs: number, instantMs: number) => ({
    dateTime: printDateTime(content.isAllDay ? floatingMs : zone.toLocal(instantMs)),
    timeZone,
  });
  return {
    start: inZone(content.startLocalMs, startOf(content)),
    end: inZone(content.endLocalMs, endOf(content)),
  };
}

/** Outlook rewrites bodies: what comes back is not what was sent. */
function bodyOf({ body }: EventContent, { bodyType }: Preferences): { contentType: string; content: string } {
  if (bodyType === 'text') {
    const content = body.contentType === 'text' ? body.content : body.content.replaceAll(/<[^>]*>/g, '');
    return { contentType: 'text', content: content.replaceAll(/\r?\n/g, '\r\n') };
  }
  const inner = body.contentType === 'html' ? body.content : escapeHtml(body.content).replaceAll(/\r?\n/g, '<br>\r\n');
  if (inner === '' || inner.startsWith('<html>')) return { contentType: 'html', content: inner };
  const head = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">';
  return {
    contentType: 'html',
    content: `<html>\r\n<head>\r\n${head}\r\n</head>\r\n<body>\r\n${inner}\r\n</body>\r\n</html>\r\n`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
