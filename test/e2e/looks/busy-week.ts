import type { calendarContract } from '../../../src/features/calendar/contract.ts';
import type { Output } from '../../../src/kernel/contract.ts';
import { id, person as someone } from './still-week.ts';

/**
 * A week that nobody would wish for: 59 timed and 7 all-day events with up to five at once, tentative, declined,
 * unanswered and private ones, two other scripts and directions, an emoji and a title of 100 characters. Seen in Berlin on
 * Wednesday, December 2, 2026 at 10:42.
 */

export const nowText = '2026-12-02T09:42:00Z';
const zone = 'Europe/Berlin';

type CalendarRow = Output<typeof calendarContract.listCalendars>['calendars'][number];
type EventRow = Output<typeof calendarContract.listEvents>['events'][number];

export const person = { ...someone, name: 'Maya Lind', email: 'maya@gmail.example', timezone: zone, weekNumbers: true };

const calendar = (n: number, name: string, provider: string, color: string, email: string): CalendarRow => ({
  id: id(n),
  name,
  provider,
  visible: true,
  color,
  badge: name.slice(0, 2).toUpperCase(),
  email,
  status: 'ok',
  message: null,
  reconnectUrl: null,
  lastSyncedAt: '2026-12-02T09:41:00Z',
  writable: true,
  unread: 0,
  warnings: 0,
});

const personal = calendar(11, 'Personal', 'google', '#4285f4', 'maya@gmail.example');
const family = calendar(12, 'Family', 'google', '#0b8043', 'maya@gmail.example');
const work = calendar(13, 'Work', 'outlook', '#0f6cbd', 'maya@contoso.example');
const aurora = calendar(14, 'Project Aurora', 'outlook', '#e3008c', 'maya@contoso.example');
const home = calendar(15, 'Home', 'caldav', '#1098ad', 'maya@cloud.example');
const side = calendar(16, 'Side project', 'caldav', '#ae3ec9', 'maya@cloud.example');

export const calendars: CalendarRow[] = [personal, family, work, aurora, home, side];

const sunday = Temporal.PlainDate.from('2026-11-29');
let count = 200;

/** `day` counts from Sunday; an end before the start is on the next day. */
function event(on: CalendarRow, day: number, times: string, title: string, more: Partial<EventRow> = {}): EventRow {
  count += 1;
  const [from = '', to = ''] = times.split('-');
  const utc = (date: Temporal.PlainDate, time: string) =>
    date
      .toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time.padStart(5, '0')) })
      .toInstant()
      .toString();
  const start = sunday.add({ days: day });
  const isNextDay = to.padStart(5, '0') < from.padStart(5, '0');
  return {
    event_id: id(count),
    item_id: id(count),
    calendar_id: on.id,
    title,
    start_time: utc(start, from),
    end_time: utc(isNextDay ? start.add({ days: 1 }) : start, to),
    all_day: false,
    start_date: null,
    end_date: null,
    zone,
    class: 'busy',
    tentative: false,
    declined: false,
    private: false,
    recurring: false,
    attendees: [],
    audience: 'personal',
    description: '',
    location: '',
    meeting_link: null,
    provider: on.provider,
    calendar_badge: on.badge,
    is_holdfast_block: false,
    version: '1',
    editable: true,
    not_editable_reason: null,
    open_url: null,
    ...more,
  };
}

function wholeDays(on: CalendarRow, from: number, days: number, title: string, more: Partial<EventRow> = {}) {
  const start = sunday.add({ days: from });
  const end = start.add({ days });
  return event(on, from, '0:00-0:00', title, {
    start_time: start.toZonedDateTime(zone).toInstant().toString(),
    end_time: end.toZonedDateTime(zone).toInstant().toString(),
    all_day: true,
    start_date: start.toString(),
    end_date: end.toString(),
    zone: null,
    class: 'free',
    ...more,
  });
}

const tentative = { tentative: true } as const;
const unanswered = { tentative: true, unanswered: true } as const;
const isPrivate = { private: true } as const;
const focus = { focus: true } as const;
const daily = [1, 2, 3, 4, 5].map((day) => event(aurora, day, '9:00-9:15', 'Aurora daily', { recurring: true }));

const timed: EventRow[] = [
  ...daily,
  event(side, 0, '9:00-11:00', 'Newsletter: write, edit, send'),
  event(work, 0, '18:00-19:00', 'Call with Ana'),
  event(family, 1, '9:00-11:00', 'Plumber'),
  event(work, 1, '9:30-10:15', 'Weekly planning'),
  event(work, 1, '10:00-11:30', '四半期レビュー'),
  event(personal, 1, '10:15-11:15', 'Passport office', tentative),
  event(work, 1, '11:00-11:45', 'Standup'),
  event(aurora, 1, '11:15-11:45', 'Pipeline review'),
  event(personal, 1, '12:00-12:30', 'Intro call: Omar Haddad', { attendees: ['Omar Haddad'] }),
  event(aurora, 1, '14:00-15:00', 'اجتماع المشروع مع الفريق'),
  event(work, 1, '18:00-19:00', 'Call with San Francisco'),
  event(personal, 1, '19:30-21:30', 'Choir'),
  event(work, 2, '9:00-12:00', 'Board preparation'),
  event(work, 2, '10:15-11:15', 'פגישת צוות שבועית'),
  event(personal, 2, '12:30-13:00', 'Intro call: Ines Ferreira'),
  event(work, 2, '13:30-14:30', 'Vendor webinar', { declined: true, class: 'ignore' }),
  event(aurora, 2, '15:00-16:00', 'Sprint review'),
  event(aurora, 2, '16:00-17:00', 'Retro'),
  event(work, 2, '17:00-17:45', 'Roadmap review'),
  event(personal, 2, '17:30-18:30', 'Hiring sync'),
  event(home, 2, '18:30-19:45', 'Yoga'),
  event(work, 3, '8:00-9:00', 'Call with Sydney'),
  event(work, 3, '9:00-11:30', 'Focus time', focus),
  event(work, 3, '10:00-11:00', 'Interview panel', { location: 'Room Spree', attendees: ['Bogdan Ilie', 'Li Chen'] }),
  event(work, 3, '10:30-11:00', 'Product sync', { meeting_link: 'https://meet.example/sync' }),
  event(personal, 3, '12:00-13:00', 'Lunch with Priya', { location: 'Ramen place, Torstraße 1' }),
  event(personal, 3, '12:00-12:30', 'Intro call: Tomasz Nowak', { attendees: ['Tomasz Nowak'] }),
  event(work, 3, '15:15-15:45', 'Customer: Northwind'),
  event(aurora, 3, '15:30-16:30', 'Customer: Fabrikam'),
  event(family, 3, '16:00-16:45', 'Piano lesson', { location: 'Music school' }),
  event(family, 3, '18:00-19:00', 'Neighbours’ meeting', unanswered),
  event(work, 4, '9:00-17:00', 'Q1 planning workshop', {
    location: 'Atrium',
    attendees: ['Jonas Weber', 'Li Chen', 'Amara Obi', 'Kofi Owusu'],
  }),
  event(work, 4, '9:00-9:00', 'Send the invoices', { class: 'free' }),
  event(personal, 4, '10:00-11:00', 'Doctor', { location: 'Praxis Nord' }),
  event(work, 4, '10:00-10:30', 'Budget sync'),
  event(family, 4, '10:05-10:20', 'Parents call'),
  event(aurora, 4, '10:15-11:00', 'Vendor security review'),
  event(work, 4, '11:00-11:30', 'One-to-one with Bogdan'),
  event(personal, 4, '14:00-14:45', 'Office hours'),
  event(work, 4, '14:15-14:45', 'Code review'),
  event(family, 4, '17:00-17:30', 'Football pick-up'),
  event(home, 4, '18:30-19:45', 'Yoga', { location: 'Studio Nord, 2nd floor' }),
  event(work, 4, '19:00-22:00', 'Tentative: partner dinner', tentative),
  event(work, 5, '9:00-11:30', 'Focus time', focus),
  event(aurora, 5, '10:00-11:00', '🚀 Launch readiness', unanswered),
  event(aurora, 5, '13:00-13:45', 'Legal check'),
  event(work, 5, '13:30-14:30', 'Marketing sync'),
  event(work, 5, '14:00-15:00', 'Write the weekly report', isPrivate),
  event(
    work,
    5,
    '15:30-17:00',
    'All-hands: Q4 numbers, the plan for next year, questions from the regions, and farewells to colleagues',
  ),
  event(home, 5, '16:00-17:00', 'Therapist', isPrivate),
  event(personal, 5, '22:15-7:40', 'Night train to Vienna'),
  event(personal, 6, '9:00-13:00', 'Moving help for Jonas', tentative),
  event(personal, 6, '10:00-12:30', 'Studying'),
  event(aurora, 6, '22:00-2:00', 'Launch window'),
];

const allDay: EventRow[] = [
  wholeDays(family, 0, 1, 'Grandma’s birthday'),
  wholeDays(personal, 0, 1, 'Mum’s birthday 🎂'),
  wholeDays(personal, 2, 1, 'Rent is due'),
  wholeDays(personal, 3, 1, 'Car at the garage'),
  wholeDays(aurora, 4, 2, 'Code freeze'),
  wholeDays(personal, 4, 1, 'Sam’s birthday', { class: 'busy' }),
  wholeDays(personal, 6, 3, 'Vienna weekend', { class: 'busy' }),
];

const block = { is_holdfast_block: true, class: 'ignore', editable: false, not_editable_reason: 'block' } as const;
const blocks = [...timed, ...allDay]
  .filter((one) => one.calendar_id === personal.id && one.class === 'busy')
  .map((one, index) => ({
    ...one,
    ...block,
    event_id: id(900 + index),
    item_id: id(900 + index),
    title: 'Busy',
    calendar_id: work.id,
  }));

export const counts = { timed: timed.length, allDay: allDay.length };
export const events: EventRow[] = [...timed, ...allDay, ...blocks].sort((a, b) =>
  a.start_time < b.start_time ? -1 : 1,
);
