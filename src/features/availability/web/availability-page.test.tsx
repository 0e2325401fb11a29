import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { defaultHours } from '../rules/hours.ts';
import { AvailabilityPage } from './availability-page.tsx';
import type { Availability, Policy } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('availability');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function policy(name: string, part: Partial<Policy> = {}): Policy {
  return {
    policy_id: crypto.randomUUID(),
    name,
    version: 1,
    active: false,
    hours: defaultHours('Europe/Berlin'),
    note: '',
    saved_at: '2027-03-01T09:00:00Z',
    used_by: [],
    ...part,
  };
}

function availabilityOf(policies: Policy[]): Availability {
  const active = policies.find((one) => one.active);
  return {
    current: {
      policy_id: active?.policy_id ?? null,
      version: active?.version ?? 0,
      hours: defaultHours('Europe/Berlin'),
    },
    policies,
    switches: [],
    days_off: [],
    travels: [],
    holidays: { country: null, region: null, days: [] },
    holds: [],
  };
}

const nothing = { available: true, conflicts: [], priority_conflicts: [], truncated: false };

function show(availability: Availability, routes: FakeRoutes = {}) {
  const api = createFakeApi({
    'GET /api/availability': { body: availability },
    'GET /calendars/availability': { body: nothing },
    'GET /api/availability/holiday-countries': { body: { countries: [] } },
    'GET /api/calendars': { body: { calendars: [] } },
    'GET /api/bookings/outside-hours': { body: { bookings: [] } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={AvailabilityPage} at="/availability" />);
  return { api, user: userEvent.setup() };
}

test('a weekday shows a conflict before a tentative hold before free, and closed days are not requested', async () => {
  const taken = { event_ref: 'e', calendar_id: crypto.randomUUID(), class: 'busy', rank: 1, title: 'Dentist' };
  const at = { start: '2027-03-01T09:00:00Z', end: '2027-03-01T10:00:00Z' };
  const answers: Record<number, object> = {
    1: { ...nothing, available: false, conflicts: [{ ...taken, ...at }], priority_conflicts: [{ ...taken, ...at }] },
    2: { ...nothing, priority_conflicts: [{ ...taken, ...at, class: 'soft', rank: 4 }] },
  };
  const { api } = show(availabilityOf([policy('Usual', { active: true })]), {
    'GET /calendars/availability': ({ query }) => {
      const start = Temporal.Instant.from(query.get('start_time') ?? '').toZonedDateTimeISO('Europe/Berlin');
      return { body: answers[start.dayOfWeek] ?? nothing };
    },
  });
  const row = async (day: string) => {
    const box = await screen.findByRole('checkbox', { name: day });
    return within(box.closest('li') as HTMLElement);
  };
  await (await row('Monday')).findByText('Conflict');
  await (await row('Tuesday')).findByText('Lower Priority Hold');
  await (await row('Wednesday')).findByText('Free');
  await (await row('Sunday')).findByText('Unavailable');
  expect(api.calls.filter(({ path }) => path === '/calendars/availability')).toHaveLength(5);
});

test('a policy in use is not deleted, and the dialog names what uses it', async () => {
  const used_by = [{ kind: 'event-type', id: crypto.randomUUID(), name: 'Coffee' }];
  const { user, api } = show(availabilityOf([policy('Usual', { active: true }), policy('Summer', { used_by })]));
  await user.click(await screen.findByRole('button', { name: 'Delete Summer' }));
  const dialog = await screen.findByRole('dialog', { name: 'Summer is in use' });
  expect(within(dialog).getByText(/“Coffee” uses this policy/)).toBeTruthy();
  expect(api.calls.some(({ method }) => method === 'DELETE')).toBe(false);
});

test('changed hours are not lost when another policy is opened', async () => {
  const { user } = show(availabilityOf([policy('Usual', { active: true }), policy('Summer')]));
  await user.click(await screen.findByRole('checkbox', { name: 'Saturday' }));
  await user.click(screen.getByRole('button', { name: 'Edit Summer' }));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Saturday' }).checked).toBe(true);
});

test('a refused save shows its reason and keeps the changed hours', async () => {
  const { user } = show(availabilityOf([]), {
    'POST /api/availability/policies': refusal(409, 'NAME_TAKEN', 'You have a policy of this name already.'),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Saturday' }));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('You have a policy of this name already.');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Saturday' }).checked).toBe(true);
});

test('bookings outside the hours are listed', async () => {
  const booking = {
    booking_id: crypto.randomUUID(),
    uid: 'u',
    appointment_id: crypto.randomUUID(),
    event_type_id: null,
    title: 'Intro',
    state: 'confirmed',
    sequence: 0,
    start_time: '2027-03-08T14:00:00.000Z',
    end_time: '2027-03-08T15:00:00.000Z',
    name: 'Bo Li',
    email: 'bo@example.net',
    phone: null,
    zone: 'UTC',
    guests: [],
    email_stopped: false,
    untold: [],
    answers: [],
    location: { kind: 'phone', who_calls: 'host', number: '' },
    join_url: null,
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
    guest_response: null,
    guest_no_show: false,
    host_no_show: false,
    created_at: '2027-03-01T14:00:00.000Z',
  };
  show(availabilityOf([]), { 'GET /api/bookings/outside-hours': { body: { bookings: [booking] } } });
  await screen.findByText('1 booking is outside your hours');
  await screen.findByText(/Intro with Bo Li/);
});

test('a rule for a calendar that is gone says so, and has no effect', async () => {
  const hold = (value: string) => ({ id: crypto.randomUUID(), kind: 'calendar' as const, value, rank: 3 as const });
  const [here, gone] = [hold(crypto.randomUUID()), hold(crypto.randomUUID())];
  const availability = { ...availabilityOf([policy('Usual', { active: true })]), holds: [here, gone] };
  const plans = {
    id: here.value,
    name: 'Plans',
    provider: 'caldav',
    visible: true,
    color: '#4285f4',
    badge: 'PL',
    email: 'a@x.org',
    status: 'ok',
    message: null,
    reconnectUrl: null,
    lastSyncedAt: null,
    writable: true,
    unread: 0,
    warnings: 0,
  };
  show(availability, { 'GET /api/calendars': { body: { calendars: [plans] } } });
  const row = (await screen.findByText(/: deleted or disconnected calendar$/)).closest('li');
  expect(row?.textContent).toContain('No effect');
  expect(screen.getByText(/: Plans$/).closest('li')?.textContent).not.toContain('No effect');
});
