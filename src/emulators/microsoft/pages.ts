import type { PageCommand, PageEvent, PageSource, PageTime } from '#emulators/kit/calendar-pages.ts';
import { weekdayOf } from '#kernel/time/civil.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { type ActCommand, type ActMoment, act } from './act.ts';
import { microsoftBrand } from './brand.ts';
import { findZone, zoneOf } from './graph-time.ts';
import { type Instance, instanceOn, instancesIn, startOf } from './instances.ts';
import { eventId, readEventId } from './item-ids.ts';
import { dayOf, weekdayNames } from './recurrence-pattern.ts';
import type { SeedEvent } from './seed-command.ts';
import type { Calendar, CalendarEvent, Mailbox, World } from './world.ts';

/** Outlook's calendars for the pages that people look at. */
export function microsoftPages(world: World, moment: ActMoment): PageSource {
  const mailboxOf = (account: string) => world.mailboxes.get(account)!;
  return {
    brand: microsoftBrand,
    accounts: () => [...world.mailboxes.values()].map(({ address, name }) => ({ account: address, name })),
    zoneOf: (account) => zoneIdOf(mailboxOf(account)),
    calendars: (account) =>
      [...mailboxOf(account).calendars.values()].map(({ key, name, hexColor, canEdit }) => ({
        id: key,
        name,
        color: hexColor || microsoftBrand.color,
        writable: canEdit,
      })),
    events(account, fromMs, toMs) {
      const mailbox = mailboxOf(account);
      return [...mailbox.calendars.values()].flatMap((calendar) => eventsIn(mailbox, calendar, fromMs, toMs));
    },
    change(account, command) {
      act(world, commandOf(mailboxOf(account), command), moment);
    },
  };
}

function zoneIdOf({ timeZone }: Mailbox): string {
  return findZone(timeZone)?.id ?? 'UTC';
}

function eventsIn(mailbox: Mailbox, calendar: Calendar, fromMs: number, toMs: number): PageEvent[] {
  const zone = zoneOf(mailbox.timeZone);
  // The days of an all-day event are read as UTC elsewhere; here they are those of the person.
  const around = { fromMs: fromMs - 86_400_000, toMs: toMs + 86_400_000 };
  return [...calendar.events.values()]
    .filter(({ content }) => !content.isDraft)
    .flatMap((event) => instancesIn(event, around))
    .map((instance) =>
      pageEvent(
        mailbox,
        calendar,
        instance,
        zone.toInstant(instance.content.startLocalMs),
        zone.toInstant(instance.content.endLocalMs),
      ),
    )
    .filter(({ startMs, endMs }) => startMs < toMs && (endMs > fromMs || startMs >= fromMs));
}

const shown: Record<string, string> = {
  tentative: 'Tentative',
  oof: 'Out of office',
  workingElsewhere: 'Working elsewhere',
  notResponded: 'Not answered',
  declined: 'Declined',
};

function pageEvent(
  mailbox: Mailbox,
  calendar: Calendar,
  instance: Instance,
  dayStartMs: number,
  dayEndMs: number,
): PageEvent {
  const { event, day, content } = instance;
  const notes = [
    shown[content.showAs],
    shown[content.response],
    content.sensitivity === 'normal' ? undefined : 'Private',
    content.isCancelled ? 'Cancelled' : undefined,
  ].filter((note) => note !== undefined);
  return {
    id: eventId(mailbox, event, day, true),
    calendar: calendar.key,
    title: content.subject || '(No title)',
    startMs: content.isAllDay ? dayStartMs : instance.startMs,
    endMs: content.isAllDay ? dayEndMs : instance.endMs,
    allDay: content.isAllDay,
    repeats: event.recurrence !== null,
    invited: content.organizer.address !== mailbox.address,
    answerable: content.organizer.address !== mailbox.address || content.attendees.length > 0,
    free: content.showAs === 'free',
    declined: content.response === 'declined',
    notes,
    ...(content.location === '' ? {} : { location: content.location }),
  };
}

const responses = { accepted: 'accept', declined: 'decline', tentative: 'tentativelyAccept' } as const;

function commandOf(mailbox: Mailbox, command: PageCommand): ActCommand {
  const account = mailbox.address;
  const calendar = mailbox.calendars.get(command.calendar);
  if (!calendar) throw new Error('Calendar not found.');
  if (!calendar.canEdit) throw new Error('This calendar is read-only.');
  if (command.do === 'create')
    return { account, do: 'create', calendar: calendar.key, event: newEvent(mailbox, command) };
  const { event, instance } = find(mailbox, calendar, command.id);
  const target = { event: eventId(mailbox, event, command.wholeSeries ? null : (instance?.day ?? null), true) };
  switch (command.do) {
    case 'move':
      return { account, do: 'move', ...target, minutes: command.minutes };
    case 'delete':
      return { account, do: 'delete', ...target };
    case 'respond':
      return { account, do: responses[command.response], ...target };
    case 'edit': {
      const times = timesOf(mailbox, event, instance, command.wholeSeries, command.time);
      const { showAs } = instance?.content ?? event.content;
      const wasFree = showAs === 'free';
      const free = command.free === wasFree ? {} : { showAs: command.free ? ('free' as const) : ('busy' as const) };
      return { account, do: 'edit', ...target, changes: { subject: command.title, ...free, ...times } };
    }
  }
}

function find(mailbox: Mailbox, calendar: Calendar, id: string): { event: CalendarEvent; instance: Instance | null } {
  const ref = readEventId(mailbox, id);
  const event = ref && calendar.events.get(ref.key);
  if (!event) throw new Error('There is no such event any more.');
  return { event, instance: ref.day === null ? null : instanceOn(event, ref.day) };
}

/** Converts the form's times of one instance to the edited event. A series is shifted by the same amount. */
function timesOf(
  mailbox: Mailbox,
  event: CalendarEvent,
  instance: Instance | null,
  wholeSeries: boolean,
  { allDay, start, end }: PageTime,
): Partial<SeedEvent> {
  const zone = zoneOf(mailbox.timeZone);
  const own = zoneOf(event.content.startZone);
  const read = (text: string) => parseLocal(text.length === 16 ? `${text}:00` : text) ?? 0;
  // On the clock that the event is kept in.
  const local = (text: string) => (allDay ? read(text) : own.toLocal(zone.toInstant(read(text))));
  const current = instance?.content ?? event.content;
  const shownMs = allDay ? current.startLocalMs : own.toLocal(startOf(current));
  const base = wholeSeries ? event.content.startLocalMs : shownMs;
  const startMs = base + local(start) - shownMs;
  const endMs = startMs + local(end) - local(start);
  const print = allDay ? printLocalDate : printLocalDateTime;
  return { zone: event.content.startZone, start: print(startMs), end: print(endMs) };
}

function newEvent(mailbox: Mailbox, { title, time, repeats }: Extract<PageCommand, { do: 'create' }>): SeedEvent {
  const event: SeedEvent = { subject: title, start: time.start, end: time.end, zone: mailbox.timeZone };
  if (repeats === 'no') return event;
  if (repeats === 'daily') return { ...event, repeat: { type: 'daily', count: 5 } };
  return {
    ...event,
    repeat: { type: 'weekly', daysOfWeek: [weekdayNames[weekdayOf(dayOf(time.start.slice(0, 10)))]!] },
  };
}
