import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { MeetingsPage } from '../meetings-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('meetings');
  // lazy parts load first: on a busy machine they would come too late
  await Promise.all([import('./booking-desk.tsx'), import('./decisions-panel.tsx')]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const hour = 3_600_000;
const now = Math.floor(Date.now() / hour) * hour;
const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const startMs = now + 48 * hour;
const bookingId = '0190a1b2-0000-7000-8000-000000000001';
const otherId = '0190a1b2-0000-7000-8000-000000000002';

const booking = (part: object = {}) => ({
  booking_id: bookingId,
  uid: 'u@holdfast',
  appointment_id: otherId,
  event_type_id: null,
  title: 'Intro',
  state: 'confirmed',
  sequence: 3,
  start_time: iso(startMs),
  end_time: iso(startMs + hour / 2),
  name: 'Bo Li',
  email: 'bo@example.net',
  phone: null,
  zone: 'Asia/Tokyo',
  guests: ['cy@example.net'],
  email_stopped: false,
  untold: [],
  answers: [{ label: 'What about?', answer: 'Plans' }],
  location: { kind: 'link', url: 'https://meet.example.org/anna' },
  join_url: 'https://meet.example.org/anna',
  seats: 1,
  seat: 1,
  series_id: null,
  team_id: null,
  hosts: [],
  event_id: null,
  calendar_id: null,
  verified: true,
  reason: null,
  ended_by: null,
  guest_no_show: false,
  host_no_show: false,
  guest_response: null,
  created_at: iso(now),
  ...part,
});
const row = {
  id: otherId,
  event_id: otherId,
  item_id: otherId,
  date: iso(startMs).slice(0, 10),
  time: iso(startMs).slice(11, 16),
  starts_at: iso(startMs),
  ends_at: iso(startMs + hour / 2),
  all_day: false,
  recurring: false,
  invitee: 'Bo Li',
  email: 'bo@example.net',
  invitees: [{ name: 'Bo Li', email: 'bo@example.net', response: null }],
  eventType: 'Intro',
  status: 'Confirmed',
  origin: { calendar_id: otherId, provider: 'holdfast', account: '', subcalendar: '', color: '#888888' },
  mirrorHealth: { total: 0, created: 0, pending: 0, failed: 0, skipped: 0 },
  targets: 0,
  meetingLink: null,
  version: '',
  editable: false,
  not_editable_reason: null,
  open_url: null,
  booking: {
    appointment_id: otherId,
    seats: 1,
    location: 'link',
    seats_taken: 1,
    has_event: false,
    comers: [
      {
        booking_id: bookingId,
        name: 'Bo Li',
        email: 'bo@example.net',
        sequence: 3,
        guest_no_show: false,
        host_no_show: false,
      },
    ],
  },
  is_mirror: false,
};
const history = [
  { at: iso(now), actor: 'guest', kind: 'confirmed', details: { sequence: 0 } },
  { at: iso(now), actor: 'guest', kind: 'guest-declined', details: { guest: 'dee@example.net' } },
];
const path = `/api/bookings/${bookingId}`;

function show(at: string, one: object, { requests = 0, routes = {} }: { requests?: number; routes?: FakeRoutes } = {}) {
  const counts = { upcoming: 1, past: 0, mirrors: 0, created: 0, pending: 0, failed: 0, skipped: 0, requests };
  const api = createFakeApi({
    'GET /meetings': { body: { upcoming: [row], past: [], mirrors: [], counts, matching: 1, pages: 1 } },
    'GET /api/calendars': { body: { calendars: [] } },
    [`GET ${path}`]: { body: { booking: one, history, series: null } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={MeetingsPage} at={at} />);
  return { api, user: userEvent.setup() };
}

test('a booking link in the URL opens the booking with its guest, place, answers and history', async () => {
  show(`/meetings?booking=${bookingId}`, booking());
  const dialog = within(await screen.findByRole('dialog', { name: 'Booking Details' }));
  expect(await dialog.findByText('Intro with Bo Li')).toBeTruthy();
  for (const words of [
    'Plans',
    'cy@example.net',
    'bo@example.net',
    'Checked at booking',
    'by the guest',
    'dee@example.net',
  ])
    expect(dialog.getByText(words)).toBeTruthy();
  expect(dialog.getByText('Declined by an extra guest')).toBeTruthy();
  expect(dialog.getByText(/in Asia\/Tokyo/)).toBeTruthy();
});

test('booking details have event type, target calendars, resync and the whole audit log of their event', async () => {
  const mirrored = {
    ...row,
    targets: 2,
    mirrorHealth: { total: 2, created: 1, pending: 0, failed: 1, skipped: 0 },
    booking: { ...row.booking, has_event: true },
  };
  const counts = { upcoming: 1, past: 0, mirrors: 0, created: 1, pending: 0, failed: 1, skipped: 0, requests: 0 };
  const { api, user } = show(`/meetings?booking=${bookingId}`, booking(), {
    routes: {
      'GET /meetings': { body: { upcoming: [mirrored], past: [], mirrors: [], counts, matching: 1, pages: 1 } },
      [`GET /events/${otherId}/audit`]: { body: { logs: [] } },
      [`POST /mirrors/${otherId}/resync`]: { body: { pending: 1 } },
    },
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Booking Details' }));
  expect(await dialog.findByText('2 target calendars configured')).toBeTruthy();
  expect(dialog.getByText('Event Type').nextElementSibling?.textContent).toBe('Intro');
  await user.click(dialog.getByRole('button', { name: 'Resync Mirrors' }));
  await waitFor(() => expect(api.calls.some((call) => call.path === `/mirrors/${otherId}/resync`)).toBe(true));
  await user.click(dialog.getByRole('button', { name: 'View Full Audit Log' }));
  expect(await screen.findByRole('dialog', { name: 'Mirror Audit Log' })).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: 'Booking Details' })).toBeNull();
});

test('a booked meeting is moved to an offered slot, and a refusal appears in the dialog', async () => {
  const free = startMs / 60_000 + 60;
  const { api, user } = show('/meetings', booking(), {
    routes: {
      [`GET ${path}/slots`]: { body: { starts: [free], next: null } },
      [`POST ${path}/reschedule`]: refusal(409, 'SLOT_TAKEN', 'This time has just been taken.'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'More actions for Intro' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Reschedule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move Intro with Bo Li' }));
  await user.click(await dialog.findByRole('radio'));
  await user.click(dialog.getByRole('button', { name: 'Move' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('This time has just been taken.');
  const sent = api.calls.find((call) => call.path.endsWith('/reschedule'));
  expect(sent?.body).toEqual({ start: free, sequence: 3, anyway: false });
});

test('a time outside the offered slots is used only on request, and the move can be undone', async () => {
  const { api, user } = show('/meetings', booking(), {
    routes: {
      [`GET ${path}/slots`]: { body: { starts: [], next: null } },
      [`POST ${path}/reschedule`]: { body: { booking: booking({ sequence: 4 }) } },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'More actions for Intro' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Reschedule' }));
  await user.click(await screen.findByRole('button', { name: 'Move' }));
  expect(api.calls.some((call) => call.path.endsWith('/reschedule'))).toBe(false); // nothing is chosen
  await user.click(screen.getByRole('checkbox', { name: /Choose another time/ }));
  await user.click(screen.getByRole('button', { name: 'Move' }));
  await screen.findByText('Intro with Bo Li was moved');
  expect(api.calls.find((call) => call.path.endsWith('/reschedule'))?.body).toMatchObject({ anyway: true });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Intro with Bo Li is back at its earlier time');
  expect(api.calls.findLast((call) => call.path.endsWith('/reschedule'))?.body).toEqual({
    start: startMs / 60_000,
    sequence: 4,
    anyway: true,
  });
});

test('booking requests appear above the tabs until they are answered', async () => {
  const waiting = booking({ state: 'pending' });
  let isAnswered = false;
  const { api, user } = show('/meetings', waiting, {
    requests: 1,
    routes: {
      'GET /api/bookings': () => ({ body: { bookings: isAnswered ? [] : [waiting] } }),
      [`POST ${path}/confirm`]: () => {
        isAnswered = true;
        return { body: { booking: booking() } };
      },
    },
  });
  expect(await screen.findByText('1 booking needs a decision')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Decline Bo Li' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep booking' }));
  await user.click(screen.getByRole('button', { name: 'Confirm Bo Li' }));
  expect(await screen.findByText('Intro with Bo Li is confirmed')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('1 booking needs a decision')).toBeNull());
  expect(api.calls.some((call) => call.path.endsWith('/decline'))).toBe(false);
});

test('a recurring booking request is one entry and answered with one request', async () => {
  const series_id = '0f9f4a66-0000-4000-8000-0000000000aa';
  const waiting = booking({ state: 'pending', series_id });
  const later = booking({ state: 'pending', series_id, booking_id: otherId as never, start_time: iso(startMs + hour) });
  let isAnswered = false;
  const { api, user } = show('/meetings', waiting, {
    requests: 2,
    routes: {
      'GET /api/bookings': () => ({ body: { bookings: isAnswered ? [] : [waiting, later] } }),
      [`POST ${path}/decline`]: () => {
        isAnswered = true;
        return { body: { booking: booking({ state: 'declined' }) } };
      },
    },
  });
  expect(await screen.findByText('1 booking needs a decision')).toBeTruthy();
  expect(within(screen.getByRole('list', { name: '2 times' })).getAllByRole('link')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Decline all 2 Bo Li' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/^2 times\. We'll email Bo Li/)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  await screen.findByText('Bo Li was notified that all 2 times of Intro are off');
  await waitFor(() => expect(screen.queryByText('1 booking needs a decision')).toBeNull());
  expect(api.calls.find((call) => call.path.endsWith('/decline'))?.body).toEqual({ series: true });
});

test('a host cancels a date of a series, or that one and all later dates, which are listed before', async () => {
  const date = (hours: number) => ({ start_time: iso(startMs + hours * hour), end_time: iso(startMs + hours * hour) });
  const later = [24, 48].map((hours) => ({ booking_id: otherId, ...date(hours) }));
  const one = booking({ series_id: '0f9f4a66-0000-4000-8000-0000000000aa' });
  const { api, user } = show(`/meetings?booking=${bookingId}`, one, {
    routes: {
      [`GET ${path}`]: { body: { booking: one, history, series: { count: 4, number: 2, later } } },
      [`POST ${path}/cancel`]: { body: { booking: booking({ state: 'cancelled' }) } },
    },
  });
  expect(await screen.findByText('Date 2 of 4')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel booking' }));
  expect(await screen.findByText(/Only this date of the series changes/)).toBeTruthy();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Which dates' }), 'This date and 2 later dates');
  expect(screen.queryByText(/Only this date of the series changes/)).toBeNull();
  expect(within(screen.getByRole('list', { name: 'Which dates' })).getAllByRole('listitem')).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Cancel 3 dates' }));
  await screen.findByText('3 dates of Intro with Bo Li were canceled');
  const sent = api.calls.find((call) => call.path.endsWith('/cancel'));
  expect(sent?.body).toEqual({ everyone: false, following: true });
});

test('a host reads before and after a cancellation that its guest gets no email, and how to reach them', async () => {
  const one = booking({ email_stopped: true, phone: '+81 3-5550-1234', series_id: null });
  const { user } = show(`/meetings?booking=${bookingId}`, one, {
    routes: {
      [`GET ${path}`]: { body: { booking: one, history, series: null } },
      [`POST ${path}/cancel`]: { body: { booking: booking({ state: 'cancelled' }) } },
    },
  });
  const says = /^Bo Li stopped our emails.* bo@example\.net, \+81 3-5550-1234$/;
  expect(await screen.findByText(says)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Reschedule' }));
  const move = await screen.findByRole('dialog', { name: /^Move Intro/ });
  expect(within(move).getByText(says)).toBeTruthy();
  expect(within(move).queryByText(/invitation by email/)).toBeNull();
  await user.click(within(move).getByRole('button', { name: 'Keep current time' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }));
  const dialog = await screen.findByRole('dialog', { name: /^Cancel Intro/ });
  expect(within(dialog).getByText(says)).toBeTruthy();
  expect(within(dialog).queryByText(/We'll email/)).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }));
  await screen.findByText(/was canceled\. Bo Li gets no email from us\. Tell them yourself: bo@example\.net/);
});

test('a no-show is recorded after the start and can be undone', async () => {
  const over = booking({ start_time: iso(now - hour), end_time: iso(now - hour / 2) });
  const { api, user } = show(`/meetings?booking=${bookingId}`, over, {
    routes: { [`POST ${path}/no-show`]: { body: { booking: over } } },
  });
  await user.click(await screen.findByRole('button', { name: 'Guest no-show' }));
  await screen.findByText('Bo Li is marked as a no-show');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Bo Li is marked as present');
  await user.click(screen.getByRole('button', { name: "I wasn't there" }));
  await screen.findByText("You're marked as absent");
  const sent = api.calls.filter((call) => call.path.endsWith('/no-show')).map((call) => call.body);
  expect(sent).toEqual([
    { who: 'guest', no_show: true },
    { who: 'guest', no_show: false },
    { who: 'host', no_show: true },
  ]);
});

test('a calendar change that contradicts a booking asks above the tabs and is answered once', async () => {
  const question = {
    question_id: otherId,
    kind: 'moved',
    booking_id: bookingId,
    appointment_id: otherId,
    title: 'Intro',
    guests: ['Bo Li'],
    start_time: iso(startMs),
    end_time: iso(startMs + hour),
    moved_to: { start_time: iso(startMs + hour), end_time: iso(startMs + 2 * hour), onto: null },
    in_the_way: null,
    asked_at: iso(now),
    answers: ['follow', 'restore'],
  };
  let asked = [question];
  const answered = Promise.withResolvers<void>();
  const { api, user } = show('/meetings', booking(), {
    requests: 1,
    routes: {
      'GET /api/bookings': { body: { bookings: [] } },
      'GET /api/bookings/questions': () => ({ body: { questions: asked } }),
      [`POST ${path}/answer`]: async () => {
        await answered.promise;
        asked = [];
        return { body: { questions: [] } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Move the booking/ }));
  // one answer at a time
  const other = screen.getByRole('button', { name: /^Restore the event/ });
  await waitFor(() => expect(other.getAttribute('aria-disabled')).toBe('true'));
  await user.click(other);
  answered.resolve();
  await waitFor(() => expect(screen.queryByText('1 booking needs a decision')).toBeNull());
  expect(api.calls.filter((call) => call.path.endsWith('/answer'))).toHaveLength(1);
  expect(api.calls.find((call) => call.path.endsWith('/answer'))?.body).toEqual({
    question_id: otherId,
    answer: 'follow',
  });
});

test('a booking that five events contradict is one row, and one answer settles all five', async () => {
  const conflict = (nth: number) => ({
    question_id: `0190a1b2-0000-7000-8000-00000000010${nth}`,
    kind: 'conflict',
    booking_id: bookingId,
    appointment_id: otherId,
    title: 'Intro',
    guests: ['Bo Li'],
    start_time: iso(startMs),
    end_time: iso(startMs + hour),
    moved_to: null,
    in_the_way: {
      title: `Lunch ${nth}`,
      calendar_name: 'Home',
      event_id: `e${nth}`,
      start_time: iso(startMs),
      end_time: iso(startMs + hour),
    },
    asked_at: iso(now),
    answers: ['ask-guest', 'ignore', 'cancel'],
  });
  let asked = [1, 2, 3, 4, 5].map(conflict);
  const { api, user } = show('/meetings', booking(), {
    requests: 5,
    routes: {
      'GET /api/bookings': { body: { bookings: [] } },
      'GET /api/bookings/questions': () => ({ body: { questions: asked } }),
      [`POST ${path}/answer`]: ({ body }) => {
        asked = asked.filter(({ question_id }) => question_id !== (body as { question_id: string }).question_id);
        return { body: { questions: asked } };
      },
    },
  });
  expect(await screen.findByText('Conflicts with Lunch 1, and 4 more')).toBeTruthy();
  expect(screen.getByText('1 booking needs a decision')).toBeTruthy();
  // an event at the same time is no move
  expect(screen.queryByText(/→/)).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Ask for a new time/ }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Ask for a new time' }));
  await waitFor(() => expect(screen.queryByText('1 booking needs a decision')).toBeNull());
  const given = api.calls.filter((call) => call.path.endsWith('/answer')).map(({ body }) => body as { answer: string });
  // the guest is asked once
  expect(given.map(({ answer }) => answer)).toEqual(['ask-guest', 'ignore', 'ignore', 'ignore', 'ignore']);
});

test.each([
  ['Cancel booking', 'Keep booking', 'cancel'],
  ['Ask for a new time', "Don't ask", 'ask-guest'],
])('a decision that emails the guest asks before it is sent: %s', async (name, back, answer) => {
  const question = {
    question_id: otherId,
    kind: 'conflict',
    booking_id: bookingId,
    appointment_id: otherId,
    title: 'Intro',
    guests: ['Bo Li'],
    start_time: iso(startMs),
    end_time: iso(startMs + hour),
    moved_to: null,
    in_the_way: {
      title: 'Lunch',
      calendar_name: 'Home',
      event_id: 'e1',
      start_time: iso(startMs),
      end_time: iso(startMs + 2 * hour),
    },
    asked_at: iso(now),
    answers: ['ask-guest', 'ignore', 'cancel'],
  };
  const { api, user } = show('/meetings', booking(), {
    requests: 1,
    routes: {
      'GET /api/bookings': { body: { bookings: [] } },
      'GET /api/bookings/questions': { body: { questions: [question] } },
      [`POST ${path}/answer`]: { body: { questions: [] } },
    },
  });
  const answers = () => api.calls.filter((call) => call.path.endsWith('/answer')).map((call) => call.body);
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${name} Intro`) }));
    return within(await screen.findByRole('dialog'));
  };
  const first = await open();
  expect(first.getByText(/We'll email Bo Li .*right away/)).toBeTruthy();
  await user.click(first.getByRole('button', { name: back }));
  expect(answers()).toEqual([]);
  await user.click((await open()).getByRole('button', { name }));
  await waitFor(() => expect(answers()).toEqual([{ question_id: otherId, answer }]));
});

test('a press on a row opens its details below the heading of its day', async () => {
  const { user } = show('/meetings', booking());
  expect(await screen.findByRole('rowheader', { name: /1 meeting$/ })).toBeTruthy();
  await user.click(screen.getByText('bo@example.net'));
  expect(await screen.findByRole('dialog', { name: 'Booking Details' })).toBeTruthy();
});
