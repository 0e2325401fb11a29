import { expect, test } from 'vitest';
import { defaultHours } from '#features/availability/rules/hours.ts';
import { ownSideOf } from '#features/calendar/rules/audience.ts';
import type { BookingId } from '#kernel/ids.ts';
import { hourMs } from '#kernel/time/civil.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { addCapacities, type Capacity, capacitiesOf, hoursOf, utilizationOf } from './capacity.ts';
import type { BookingFact } from './count-booking.ts';
import { forecastOf, forecastSpan, scheduledSpan } from './forecast.ts';
import { type CalendarState, maskAccount, maskName, scoreAll, scoreCalendar } from './health.ts';
import { shadeOf } from './measures.ts';
import { participantsOf, sourcesOf } from './met-people.ts';
import { mirroredShare } from './mirrored-share.ts';
import { draftHours, popularSlots } from './popular-slots.ts';
import { conversionOf, isCounted, stagesOf } from './visits.ts';

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

const fact = (start: string, what: Partial<BookingFact> = {}): BookingFact => ({
  id: start as BookingId,
  hostIds: [],
  eventTypeId: null,
  teamId: null,
  calendarId: null,
  state: 'confirmed',
  createdMs: at(start) - 24 * hourMs,
  startMs: at(start),
  endMs: at(start) + hourMs,
  endedMs: null,
  confirmedMs: at(start) - 24 * hourMs,
  guestNoShow: false,
  hostNoShow: false,
  guestZone: null,
  ...what,
});

const healthy: CalendarState = {
  ageSec: 10,
  pushLive: true,
  canPush: true,
  pollSec: 300,
  mirrors: { total: 4, created: 4, pendingYoung: 0 },
  ops: 10,
  failedOps: 0,
  failures: 0,
  hasAccess: true,
  isChecked: true,
  isTarget: false,
};

test("a calendar's health score weighs freshness, mirrors, errors and push", () => {
  expect(scoreCalendar(healthy)).toMatchObject({ score: 100, weight: 2, status: 'ok' });
  expect(scoreCalendar({ ...healthy, hasAccess: false })).toMatchObject({ score: 0, status: 'error' });
  // 660 s: half of the way from 120 to 1200
  expect(scoreCalendar({ ...healthy, ageSec: 660 }).score).toBe(Math.round(100 - 17.5));
  expect(scoreCalendar({ ...healthy, mirrors: { total: 4, created: 1, pendingYoung: 2 } }).score).toBe(85);
  expect(scoreCalendar({ ...healthy, failedOps: 1 }).score).toBe(90);
  expect(scoreCalendar({ ...healthy, pushLive: false }).parts.push).toBe(0.5);
  expect(scoreCalendar({ ...healthy, pushLive: false, canPush: false }).parts.push).toBe(1);
  expect(scoreCalendar({ ...healthy, ageSec: null })).toMatchObject({ status: 'syncing', score: 65 });
  expect(scoreCalendar({ ...healthy, failures: 5 }).status).toBe('error');
});

test('the overall health score weighs important calendars double and is capped by lost access', () => {
  const one = (change: Partial<CalendarState>) => {
    const state = { ...healthy, ...change };
    return { ...scoreCalendar(state), isChecked: state.isChecked };
  };
  expect(scoreAll([])).toBeNull();
  const minor = one({ hasAccess: false, isChecked: false });
  expect(scoreAll([one({}), minor])).toBe(67);
  const all = [one({}), one({}), one({}), one({ hasAccess: false })];
  expect(scoreAll(all)).toBe(59);
  expect(maskAccount('ada@example.org')).toBe('ada************');
});

test('overlapping mirrors count once per calendar, and no required mirror gives an unknown share', () => {
  const within = { startMs: 0, endMs: 10 * hourMs };
  expect(mirroredShare([], within)).toEqual({ mirrored_slots_pct: null, mirrored_minutes: 0, required_minutes: 0 });
  const block = (startH: number, endH: number, isVerified: boolean, targetId = 'a') => ({
    startMs: startH * hourMs,
    endMs: endH * hourMs,
    targetId,
    isVerified,
  });
  expect(
    mirroredShare([block(1, 3, true), block(2, 4, true), block(8, 20, false), block(1, 2, true, 'b')], within),
  ).toEqual({
    mirrored_slots_pct: 66.7,
    mirrored_minutes: 240,
    required_minutes: 360,
  });
});

test("popular slots count in the host's time zone, or in the guest's where known", () => {
  const facts = [
    fact('2026-03-29T00:30:00Z', { guestZone: 'America/New_York' }),
    fact('2026-03-29T01:30:00Z', { state: 'pending' }),
    fact('2026-03-29T01:30:00Z', { state: 'cancelled', endedMs: 0 }),
  ];
  const berlin = loadZone('Europe/Berlin') as Zone;
  const host = popularSlots(facts, { zone: berlin, perspective: 'organizer' });
  // between both the clock goes from 2 to 3
  expect(host.top_slots).toEqual([
    { hour: 1, count: 1 },
    { hour: 3, count: 1 },
  ]);
  expect(host.heatmap[6]?.[3]?.count).toBe(1);
  const guest = popularSlots(facts, { zone: berlin, perspective: 'invitee' });
  expect(guest.heatmap[5]?.[20]?.count).toBe(1);
  expect(guest.total).toBe(2);
});

test('a draft of opening hours adds often requested closed hours and joins them to adjacent hours', () => {
  const hours = defaultHours('Europe/Berlin');
  const heatmap = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => ({ hour, count: 0 })));
  const set = (weekday: number, hour: number, count: number) => {
    const cell = heatmap[weekday]?.[hour];
    if (cell !== undefined) cell.count = count;
  };
  set(0, 17, 7);
  set(0, 10, 10);
  set(1, 20, 6);
  set(5, 23, 9);
  const { after, added } = draftHours(hours, heatmap);
  expect(added).toEqual([
    { weekday: 'monday', hour: 17, count: 7 },
    { weekday: 'saturday', hour: 23, count: 9 },
  ]);
  expect(after.weekly.monday.intervals).toEqual([{ start: '09:00', end: '18:00' }]);
  expect(after.weekly.tuesday).toEqual(hours.weekly.tuesday);
  // a day off keeps its hours for itself: what is added is open alone
  expect(after.weekly.saturday).toEqual({ enabled: true, intervals: [{ start: '23:00', end: '24:00' }] });
});

test('capacity utilization is relative to available time, at most 100, and unknown without open hours', () => {
  const hour = (from: number, to: number) => ({ startMs: from * hourMs, endMs: to * hourMs });
  const busy = {
    taken: [hour(8, 11), hour(10, 12)],
    booked: [hour(13, 15), hour(14, 16), hour(16.5, 20)],
  };
  const [one] = capacitiesOf([0, 24 * hourMs], [hour(9, 17)], busy) as [Capacity];
  expect([hoursOf(one.openMs), hoursOf(one.availableMs), hoursOf(one.bookedMs)]).toEqual([8, 5, 3.5]);
  expect(utilizationOf(one)).toBe(70);
  expect(addCapacities([one, one]).bookedMs).toBe(7 * hourMs);
  expect(utilizationOf({ openMs: 1, availableMs: 1, bookedMs: 3 })).toBe(100);
  // 6.45 %: rounded once
  expect(utilizationOf({ openMs: 2_000, availableMs: 2_000, bookedMs: 129 })).toBe(6);
  expect(capacitiesOf([0, 24 * hourMs], [], { taken: [], booked: [hour(1, 2)] }).map(utilizationOf)).toEqual([null]);
  // parts of an hour that is open, taken and booked across them
  const parts = capacitiesOf([10 * hourMs, 11.5 * hourMs, 11.5 * hourMs, 15 * hourMs], [hour(9, 17)], busy);
  expect(parts.map(({ openMs, availableMs, bookedMs }) => [openMs, availableMs, bookedMs].map(hoursOf))).toEqual([
    [1.5, 0, 0],
    [0, 0, 0],
    [3.5, 3, 2],
  ]);
});

test('capacity by day reads each busy time once for all days', () => {
  const dayMs = 24 * hourMs;
  let reads = 0;
  const taken = Array.from({ length: 20_000 }, (_, n) => ({
    get startMs() {
      reads += 1;
      return n * 0.8 * hourMs;
    },
    endMs: n * 0.8 * hourMs + 60_000,
  }));
  const open = Array.from({ length: 700 }, (_, n) => ({
    startMs: n * dayMs + 9 * hourMs,
    endMs: n * dayMs + 17 * hourMs,
  }));
  const days = capacitiesOf(
    Array.from({ length: 701 }, (_, n) => n * dayMs),
    open,
    { taken, booked: [] },
  );
  expect(days).toHaveLength(700);
  expect(days[0]?.availableMs).toBe(8 * hourMs - 10 * 60_000);
  // sorting is what reads a time several times
  expect(reads).toBeLessThan(60 * taken.length);
});

test('meeting sources and participants count each meeting once and external people only', () => {
  expect(sourcesOf([{ source: 'google' }, { source: 'direct' }, { source: 'google' }])).toEqual([
    { source: 'google', label: 'Google', count: 2 },
    { source: 'direct', label: 'Direct bookings', count: 1 },
  ]);
  const met = (address: string, key: string, isKnown = false) => ({ address, key, startMs: 0, isKnown });
  const people = [
    met('a@x.example', 'm'),
    met('b@x.example', 'm'),
    met('c@y.example', 'n', true),
    met('me@own.example', 'm'),
  ];
  expect(participantsOf(people, ownSideOf(['ada@own.example']))).toEqual({
    top_domains: [
      { domain: 'x.example', meetings: 1 },
      { domain: 'y.example', meetings: 1 },
    ],
    new_participants: 2,
    repeat_participants: 1,
  });
});

test('the meeting forecast adds the usual later bookings, scaled down with few known weeks', () => {
  const nowMs = at('2026-03-04T12:00:00Z'); // a Wednesday
  expect(forecastOf([], [], { zone: utc, nowMs, sinceMs: null })).toEqual({ forecast: null, busy_days: 0 });
  // Thursdays, each booked the evening before: on a Wednesday noon nobody knows of them
  const weeks = [1, 2, 3, 4].map((week) =>
    fact(
      Temporal.Instant.from('2026-03-05T15:00:00Z')
        .subtract({ hours: week * 168 })
        .toString(),
      {
        confirmedMs: at('2026-03-04T20:00:00Z') - week * 168 * hourMs,
      },
    ),
  );
  const booked = [fact('2026-03-06T10:00:00Z'), fact('2026-03-06T11:00:00Z')];
  const { forecast, busy_days: busyDays } = forecastOf(weeks, booked, {
    zone: utc,
    nowMs,
    sinceMs: at('2026-02-01T00:00:00Z'),
  });
  expect(forecast).toHaveLength(14);
  // four Thursdays of eight: half of one meeting
  expect(forecast?.[1]).toMatchObject({ date: '2026-03-05', scheduled: 0, expected_meetings: 0.5, busy: false });
  expect(forecast?.[2]).toMatchObject({ date: '2026-03-06', scheduled: 2, expected_meetings: 2, busy: true, ratio: 1 });
  expect(busyDays).toBe(1);
  expect(forecastSpan(utc, nowMs)).toEqual({ startMs: at('2025-12-31T00:00:00Z'), endMs: at('2026-03-04T00:00:00Z') });
  expect(scheduledSpan(utc, nowMs)).toEqual({ startMs: at('2026-03-04T00:00:00Z'), endMs: at('2026-03-18T00:00:00Z') });
  expect([0.81, 0.8, 0.5, 0.3, 0.1, null].map(shadeOf)).toEqual([4, 3, 2, 1, 0, 0]);
});

test('a full calendar without bookings has a forecast, and its fullest day is busy', () => {
  const nowMs = at('2026-03-04T12:00:00Z');
  const meetings = ['05', '06', '06', '10', '11', '11', ...Array<string>(6).fill('12')].map((day, n) => ({
    startMs: at(`2026-03-${day}T09:00:00Z`) + n * hourMs,
  }));
  const { forecast, busy_days: busyDays } = forecastOf([], meetings, { zone: utc, nowMs, sinceMs: null });
  expect(forecast?.map(({ scheduled }) => scheduled)).toEqual([0, 1, 2, 0, 0, 0, 1, 2, 6, 0, 0, 0, 0, 0]);
  expect(forecast?.filter(({ busy }) => busy).map(({ date }) => date)).toEqual(['2026-03-12']);
  expect(busyDays).toBe(1);
});

test('a calendar that is called by an address is masked as its account is', () => {
  expect(maskName('carla@example.org')).toBe(maskAccount('carla@example.org'));
  expect(maskName('carla@example.org')).toBe(`car${'*'.repeat(14)}`);
  expect(maskName('Work (carla@example.org)')).toBe(`Work (car${'*'.repeat(14)})`);
  expect(maskName('Family @ home')).toBe('Family @ home');
});

test('a visit counts up to the stage it reached, and a confirmation a day later does not count', () => {
  const visit = { firstMs: 0, chosenMs: 1, submittedMs: 2, confirmedMs: 3, isHeld: true };
  expect(stagesOf(visit)).toEqual(['viewed', 'chosen', 'submitted', 'confirmed', 'held']);
  expect(stagesOf({ ...visit, confirmedMs: 24 * hourMs + 2 })).toEqual(['viewed', 'chosen', 'submitted']);
  expect(stagesOf({ ...visit, chosenMs: null })).toEqual(['viewed']);
  const no = { viewed: 0, chosen: 0, submitted: 0, confirmed: 0, held: 0 };
  expect(conversionOf({ ...no, chosen: 4, confirmed: 1 }, no)).toMatchObject({
    value_pct: 25,
    previous_pct: null,
    delta_pct: null,
  });
});

test('bots, prefetches and visitors who opt out of tracking are not counted as visits', () => {
  const person = {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    asksNotToBeTracked: false,
    isPrefetch: false,
  };
  expect(isCounted(person)).toBe(true);
  expect(isCounted({ ...person, asksNotToBeTracked: true })).toBe(false);
  expect(isCounted({ ...person, isPrefetch: true })).toBe(false);
  expect(isCounted({ ...person, userAgent: undefined })).toBe(false);
  expect(
    isCounted({ ...person, userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }),
  ).toBe(false);
  expect(isCounted({ ...person, userAgent: 'Mozilla/5.0 (X11) HeadlessChrome/140.0' })).toBe(false);
});
