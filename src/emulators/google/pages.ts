import type { PageCommand, PageEvent, PageSource, PageTime } from '#emulators/kit/calendar-pages.ts';
import { dayAfter } from '#emulators/kit/page-times.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { overlaps } from '#kernel/time/intervals.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { type ActCommand, act } from './act.ts';
import type { Announcing } from './announce.ts';
import { googleBrand } from './brand.ts';
import { type EventDateTime, printInZone, spanOf } from './event-time.ts';
import { find } from './find-event.ts';
import { movePatch } from './reschedule.ts';
import type { SeedEvent } from './seed.ts';
import { expandMaster } from './select-events.ts';
import type { StoredEvent } from './stored-event.ts';
import { type Calendar, canWrite, roleOf, type User, type World } from './world.ts';
import type { EventBody } from './write-event.ts';

/** Google's calendars for the pages that people look at. */
export function googlePages(world: World, moment: Announcing): PageSource {
  const own = (account: string): Calendar[] => {
    const user = world.users.get(account) as User;
    return [...user.list.values()]
      .filter(({ deleted, hidden }) => !deleted && !hidden)
      .map(({ calendarId }) => world.calendars.get(calendarId)!)
      .filter((calendar) => roleOf(calendar, account) !== null);
  };
  return {
    brand: googleBrand,
    accounts: () => [...world.users.values()].map(({ email, name }) => ({ account: email, name })),
    zoneOf: (account) => world.calendars.get(account)!.timeZone,
    calendars: (account) =>
      own(account).map((calendar) => ({
        id: calendar.id,
        name: calendar.id === account ? 'My calendar' : calendar.summary,
        color: calendar.backgroundColor,
        writable: canWrite(roleOf(calendar, account)!),
      })),
    events: (account, fromMs, toMs) => own(account).flatMap((calendar) => eventsIn(calendar, fromMs, toMs)),
    change(account, command) {
      act(world, commandOf(world, account, command), moment);
    },
  };
}

function eventsIn(calendar: Calendar, fromMs: number, toMs: number): PageEvent[] {
  const shown: PageEvent[] = [];
  for (const event of calendar.events.values()) {
    if (event.status === 'cancelled') continue;
    const instances = event.recurrence.length > 0 ? expandMaster(calendar, event, fromMs, toMs) : [event];
    for (const instance of instances) {
      const span = spanOf(instance.time, calendar.timeZone);
      if (overlaps(span, { startMs: fromMs, endMs: toMs })) shown.push(pageEvent(calendar, instance, span));
    }
  }
  return shown;
}

const NOTES: Record<string, string> = {
  outOfOffice: 'Out of office',
  focusTime: 'Focus time',
  workingLocation: 'Working location',
  birthday: 'Birthday',
  fromGmail: 'From Gmail',
};

function pageEvent(
  calendar: Calendar,
  { id, status, time, fields, recurringEventId, organizer }: StoredEvent,
  { startMs, endMs }: { startMs: number; endMs: number },
): PageEvent {
  const own = fields.attendees?.find(({ email }) => email === calendar.id);
  const response = own?.responseStatus;
  const note = NOTES[fields.eventType ?? ''];
  return {
    id,
    calendar: calendar.id,
    title: fields.summary ?? '(No title)',
    startMs,
    endMs,
    allDay: time.allDay,
    repeats: recurringEventId !== null,
    invited: organizer !== calendar.id,
    answerable: own !== undefined,
    free: fields.transparency === 'transparent',
    declined: response === 'declined',
    notes: [
      ...(note === undefined ? [] : [note]),
      ...(status === 'tentative' || response === 'tentative' ? ['Tentative'] : []),
      ...(response === 'needsAction' ? ['Not answered'] : []),
      ...(response === 'declined' ? ['Declined'] : []),
    ],
    ...(fields.location !== undefined && { location: fields.location }),
  };
}

function commandOf(world: World, account: string, command: PageCommand): ActCommand {
  const about = { account, calendar: command.calendar };
  const calendar = world.calendars.get(command.calendar);
  if (!calendar) throw new Error('Calendar not found.');
  if (command.do === 'create') return { ...about, do: 'create', event: newEvent(command) };
  // The id of an instance is its master's, and a stamp.
  const cut = command.id.lastIndexOf('_');
  const pick = command.wholeSeries && cut !== -1 ? command.id.slice(0, cut) : command.id;
  switch (command.do) {
    case 'move':
      return { ...about, do: 'move', pick, minutes: command.minutes };
    case 'delete':
      return { ...about, do: 'delete', pick };
    case 'respond':
      return { ...about, do: 'respond', pick, response: command.response };
    case 'edit': {
      const transparency = command.free ? 'transparent' : 'opaque';
      const times = timesOf(calendar, find(calendar, pick), find(calendar, command.id), command.time, account, world);
      return { ...about, do: 'edit', pick, patch: { summary: command.title, transparency, ...times } };
    }
  }
}

/** Converts the form's times of one instance to the edited event. A series is shifted by the same amount. */
function timesOf(
  calendar: Calendar,
  event: StoredEvent,
  instance: StoredEvent,
  { allDay, start, end }: PageTime,
  account: string,
  world: World,
): EventBody {
  const zone = loadZone(world.calendars.get(account)!.timeZone) ?? utc;
  const at = (text: string) => zone.toInstant(parseLocal(text.length === 16 ? `${text}:00` : text) ?? 0);
  const before = spanOf(instance.time, allDay ? zone.id : calendar.timeZone);
  const shifted = movePatch(event, at(start) - before.startMs) as { start: EventDateTime; end: EventDateTime };
  if (allDay) {
    const days = ((parseLocal(end) ?? 0) - (parseLocal(start) ?? 0)) / dayMs;
    return { ...shifted, end: { date: dayAfter(shifted.start.date!, days) } };
  }
  const startMs = spanOf(event.time, calendar.timeZone).startMs + at(start) - before.startMs;
  const endMs = startMs + at(end) - at(start);
  return { ...shifted, end: { ...shifted.end, dateTime: printInZone(endMs, zone) } };
}

function newEvent({ title, time, repeats }: Extract<PageCommand, { do: 'create' }>): SeedEvent {
  const event: SeedEvent = { summary: title, start: time.start, end: time.end };
  if (repeats === 'no') return event;
  return { ...event, recurrence: [repeats === 'daily' ? 'RRULE:FREQ=DAILY;COUNT=5' : 'RRULE:FREQ=WEEKLY'] };
}
