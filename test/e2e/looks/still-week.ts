import type { accountsContract } from '../../../src/features/accounts/contract.ts';
import type { calendarContract } from '../../../src/features/calendar/contract.ts';
import type { Output } from '../../../src/kernel/contract.ts';

/**
 * One week of one person that never changes, for pictures: New York, the week before the clocks go forward, seen on
 * Wednesday at 10:20. Typed by the contracts, so that it stays what a server could answer.
 */

export const nowText = '2027-03-10T15:20:00Z';
const zone = 'America/New_York';

type CalendarRow = Output<typeof calendarContract.listCalendars>['calendars'][number];
type EventRow = Output<typeof calendarContract.listEvents>['events'][number];

export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const person: Output<typeof accountsContract.readAccountProfile> = {
  user_id: id(1),
  email: 'jane@northwind.example',
  name: 'Jane Osei',
  company: 'Northwind',
  role: 'user',
  mfaEnabled: false,
  adminAccess: 'none',
  impersonatedUntil: null,
  phone: null,
  avatarUrl: null,
  timezone: zone,
  locale: 'en-US',
  timeFormat: '12h',
  dateFormat: 'YYYY-MM-DD',
  weekStart: 7,
  weekends: true,
  weekNumbers: false,
  moreZones: [],
  theme: 'system',
  density: 'comfortable',
  hideEmail: false,
  notifications: { bookingReminders: true, syncErrors: true, productUpdates: false },
};

const calendar = (n: number, name: string, provider: string, color: string, more: Partial<CalendarRow> = {}) => ({
  id: id(n),
  name,
  provider,
  visible: true,
  color,
  badge: name.slice(0, 2).toUpperCase(),
  email: 'jane@northwind.example',
  status: 'ok' as const,
  message: null,
  reconnectUrl: null,
  lastSyncedAt: '2027-03-10T15:19:00Z',
  writable: true,
  unread: 0,
  warnings: 0,
  ...more,
});

const work = calendar(11, 'Northwind', 'google', '#4285f4');
const client = calendar(12, 'Client desk', 'outlook', '#0078d4', { email: 'jane@client.example' });
const home = calendar(13, 'Home', 'icloud', '#0f7b3f', { email: 'jane.osei@icloud.example' });
const board = calendar(14, 'Board', 'caldav', '#b45309', {
  email: 'jane@dav.example',
  status: 'error',
  message: 'The server did not answer for 40 minutes. What was read stays; it is asked again every few minutes.',
});

export const calendars: CalendarRow[] = [work, client, home, board];

let count = 100;
const event = (
  on: CalendarRow,
  title: string,
  [start_time, end_time]: readonly [string, string],
  more: Partial<EventRow> = {},
): EventRow => {
  count += 1;
  return {
    event_id: id(count),
    item_id: id(count),
    calendar_id: on.id,
    title,
    start_time,
    end_time,
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
};

/** Wall times of New York in winter, -05:00. */
const at = (day: number, from: string, to: string, lastDay = day) => [utc(day, from), utc(lastDay, to)] as const;

function utc(day: number, time: string): string {
  return Temporal.PlainDateTime.from(`2027-03-${String(day).padStart(2, '0')}T${time}`)
    .toZonedDateTime(zone)
    .toInstant()
    .toString();
}

const allDay = (from: number, end: number) => ({
  all_day: true,
  start_date: `2027-03-${String(from).padStart(2, '0')}`,
  end_date: `2027-03-${String(end).padStart(2, '0')}`,
  zone: null,
});

const block = { is_holdfast_block: true, class: 'ignore', editable: false, not_editable_reason: 'block' } as const;
const guests = { attendees: ['Priya Nair', 'Tom Becker'], audience: 'client' } as const;

const standups = [8, 9, 10, 11, 12, 15, 16, 17].map((day) =>
  event(work, 'Stand-up', at(day, '09:30', '09:45'), { recurring: true, attendees: ['Sam Lee'] }),
);

export const events: EventRow[] = [
  ...standups,
  event(home, 'Run by the river', at(7, '08:00', '09:15')),
  event(client, 'Kick-off with Fabrikam', at(8, '10:00', '11:30'), {
    ...guests,
    attendees: [...guests.attendees],
    meeting_link: 'https://meet.example/fabrikam',
  }),
  event(work, 'Busy', at(8, '10:00', '11:30'), block),
  event(work, 'Design review', at(8, '13:00', '14:00')),
  event(home, 'Dentist', at(9, '10:30', '11:30')),
  event(work, 'Busy', at(9, '10:30', '11:30'), block),
  event(client, 'Busy', at(9, '10:30', '11:30'), block),
  event(work, 'Hiring loop', at(9, '13:00', '16:00'), { tentative: true }),
  event(client, 'Quarterly numbers', at(10, '10:00', '11:00'), { attendees: ['Ana Ruiz'], audience: 'client' }),
  event(work, '1:1 with Sam', at(10, '10:30', '11:00'), { attendees: ['Sam Lee'] }),
  event(board, 'Board preparation', at(10, '10:15', '11:45')),
  event(home, 'Call the bank', at(10, '10:30', '11:15')),
  event(home, 'Lunch with Mara', at(10, '12:30', '13:30'), { location: 'Kiosk am Ufer' }),
  event(work, 'Busy', at(10, '12:30', '13:30'), block),
  event(work, 'Focus', at(11, '14:00', '16:30'), { class: 'free' }),
  event(client, 'Steering group', at(11, '11:00', '12:00'), { declined: true, class: 'ignore' }),
  event(work, 'Release', at(11, '22:30', '01:30', 12)),
  event(client, 'Workshop', at(12, '09:00', '12:30'), { attendees: [...guests.attendees], audience: 'client' }),
  event(home, 'School play', at(13, '15:00', '17:00')),
  event(work, 'Offsite in Lisbon', [utc(8, '00:00'), utc(11, '00:00')], { ...allDay(8, 11), class: 'free' }),
  event(home, 'Grandma visits', [utc(12, '00:00'), utc(14, '00:00')], { ...allDay(12, 14), class: 'free' }),
  // through the hour that there is not
  event(work, 'Release of the night', at(14, '01:30', '03:30')),
  event(home, 'Brunch', at(14, '11:00', '13:00')),
  event(client, 'Kick-off, second part', at(16, '10:00', '11:30'), { ...guests, attendees: [...guests.attendees] }),
].sort((a, b) => (a.start_time < b.start_time ? -1 : 1));
