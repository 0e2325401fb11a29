import type { inboxContract } from '../../../src/features/inbox/contract.ts';
import type { meetingsContract } from '../../../src/features/meetings/contract.ts';
import type { Output } from '../../../src/kernel/contract.ts';
import { calendars, id } from './still-week.ts';

/** Content of the meetings console and the bell in the week of `still-week`. */

type Meetings = Output<typeof meetingsContract.listMeetings>;
type Meeting = Meetings['upcoming'][number];
type Mirror = Meetings['mirrors'][number];

const place = (n: number) => {
  const {
    id: calendar_id = '',
    provider = '',
    email: account = '',
    name: subcalendar = '',
    color = '',
  } = calendars[n] ?? {};
  return { calendar_id, provider, account, subcalendar, color };
};

const meeting = (
  n: number,
  [day, time, ends]: readonly [number, string, string],
  eventType: string,
  invitee: string,
  origin: number,
  health: Partial<Meeting['mirrorHealth']>,
  more: Partial<Meeting> = {},
): Meeting => ({
  id: id(n),
  event_id: id(n),
  item_id: id(n),
  date: `2027-03-${day}`,
  time,
  starts_at: instant(day, time),
  ends_at: instant(day, ends),
  all_day: false,
  recurring: false,
  invitee,
  email: `${invitee.split(' ')[0]?.toLowerCase()}@fabrikam.example`,
  invitees: [],
  eventType,
  status: 'Confirmed',
  origin: place(origin),
  mirrorHealth: { total: 3, created: 3, pending: 0, failed: 0, skipped: 0, ...health },
  targets: 3,
  meetingLink: null,
  version: '1',
  editable: true,
  not_editable_reason: null,
  open_url: 'https://calendar.example/event',
  booking: null,
  is_mirror: false,
  ...more,
});

function instant(day: number, time: string): string {
  return Temporal.PlainDateTime.from(`2027-03-${day}T${time}`)
    .toZonedDateTime('America/New_York')
    .toInstant()
    .toString();
}

const upcoming: Meeting[] = [
  meeting(301, [10, '10:30', '11:00'], '1:1 with Sam', 'Sam Lee', 0, {}, { recurring: true }),
  meeting(302, [11, '09:30', '09:45'], 'Stand-up', 'Sam Lee', 0, { created: 2, pending: 1 }, { recurring: true }),
  meeting(
    303,
    [12, '09:00', '12:30'],
    'Workshop',
    'Priya Nair',
    1,
    { created: 1, failed: 2 },
    {
      meetingLink: 'https://meet.example/workshop',
    },
  ),
  meeting(
    304,
    [16, '10:00', '11:30'],
    'Kick-off, second part',
    'Tom Becker',
    1,
    { total: 0, created: 0, skipped: 3 },
    {
      status: 'Tentative',
      editable: false,
      not_editable_reason: 'invited',
    },
  ),
];

const mirror = (
  n: number,
  day: number,
  title: string,
  status: Mirror['status'],
  more: Partial<Mirror> = {},
): Mirror => ({
  id: id(n),
  event_id: id(n + 100),
  origin_event_id: id(n + 100),
  date: `2027-03-${day}`,
  time: '09:00',
  starts_at: instant(day, '09:00'),
  recurring: false,
  title,
  shown_as: 'Busy',
  origin: place(1),
  target: place(0),
  status,
  planned_at: '2027-03-09T15:00:00Z',
  last_sync: '2027-03-10T15:00:00Z',
  applied: status === 'created',
  verified_at: status === 'created' ? '2027-03-10T15:00:00Z' : null,
  attempts: status === 'created' ? 1 : 3,
  next_attempt_at: status === 'pending' ? '2027-03-10T15:24:00Z' : null,
  reason: null,
  error: null,
  open_url: null,
  is_mirror: true,
  ...more,
});

const mirrors: Mirror[] = [
  mirror(401, 12, 'Workshop', 'failed', {
    error: 'The calendar does not take any more events today.',
    target: place(3),
  }),
  mirror(402, 11, 'Stand-up', 'pending', { recurring: true, reason: 'The server did not answer. It is tried again.' }),
  mirror(403, 12, 'Workshop', 'created'),
  mirror(404, 16, 'Kick-off, second part', 'created', { target: place(2) }),
];

export function meetings(scope: string | null): Meetings {
  return {
    upcoming: scope === 'upcoming' ? upcoming : [],
    past: [],
    mirrors: scope === 'mirrors' ? mirrors : [],
    counts: {
      upcoming: upcoming.length,
      past: 0,
      mirrors: mirrors.length,
      created: 2,
      pending: 1,
      failed: 1,
      skipped: 0,
      requests: 0,
    },
    matching: scope === 'mirrors' ? mirrors.length : scope === 'upcoming' ? upcoming.length : 0,
    pages: 1,
  };
}

export const notices: Output<typeof inboxContract.listNotices> = {
  unread: 1,
  notices: [
    {
      id: id(501),
      kind: 'calendar',
      at: '2027-03-10T14:40:00Z',
      read: false,
      over: false,
      details: { calendar: 'Board', account: 'jane@dav.example', reason: 'The server did not answer for 40 minutes.' },
    },
    {
      id: id(502),
      kind: 'reconnect',
      at: '2027-03-08T09:00:00Z',
      read: true,
      over: true,
      details: { account: 'jane@client.example' },
    },
  ],
};
