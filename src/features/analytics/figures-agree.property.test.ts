import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingChanged } from '#features/booking/events.ts';
import type { BookingChange } from '#features/booking/rules/booking-states.ts';
import type { BookingId, TeamId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { Asked } from './figures.ts';
import { getDashboard, getPanel } from './panels/panels.ts';
import { panels } from './rules/measures.ts';
import { recountAll, recountPerson } from './sums.ts';

/**
 * Every figure against a slow reference that is written from the definitions alone (design: semantics 6), over histories
 * that nobody thought up. The reference knows Temporal and what happened, and nothing of the code under test.
 */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const clock = fixedClock('2026-03-20T12:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock, role: 'web' });
});
afterAll(() => server.close());

// the events of the history

interface Booking {
  id: string;
  appointmentId: string;
  hostIds: UserId[];
  team: boolean;
  state: string;
  createdMs: number;
  startMs: number;
  endMs: number;
  confirmedMs: number | null;
  endedMs: number | null;
  guestNoShow: boolean;
  hostNoShow: boolean;
  guestZone: string | null;
  email: string;
  isCounted: boolean;
}

interface Event {
  startMs: number;
  endMs: number;
  uid: string;
  addresses: string[];
}

interface World {
  zone: string;
  nowMs: number;
  me: TestUser;
  mate: TestUser;
  teamId: TeamId;
  bookings: Booking[];
  events: Event[];
  visits: { firstMs: number; chosenMs: number | null; submittedMs: number | null; booking: Booking | null }[];
  preventions: { atMs: number; kind: 'rejected' | 'masked' }[];
  switchMs: number;
}

const steps = [
  'confirm',
  'cancel',
  'decline',
  'expire',
  'move',
  'guest-away',
  'guest-there',
  'host-away',
  'hand-over',
] as const;

const anyBooking = fc.record({
  whose: fc.constantFrom('mine', 'mine', 'mine', 'both', 'mate'),
  first: fc.constantFrom('confirmed', 'confirmed', 'confirmed', 'pending', 'awaiting-mail'),
  beforeMin: fc.integer({ min: 1, max: 70 * 24 * 60 }),
  leadMin: fc.integer({ min: 0, max: 25 * 24 * 4 }).map((quarters) => quarters * 15),
  lengthMin: fc.constantFrom(15, 30, 60, 26 * 60),
  guestZone: fc.constantFrom(null, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'),
  guest: fc.integer({ min: 0, max: 6 }),
  steps: fc.array(
    fc.record({
      step: fc.constantFrom(...steps),
      afterMin: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 12 * 24 * 60 })),
    }),
    {
      maxLength: 4,
    },
  ),
  visit: fc.constantFrom(null, 'viewed', 'chosen', 'submitted'),
});

const anyHistory = fc.record({
  zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Australia/Lord_Howe'),
  askZone: fc.constantFrom('Asia/Kolkata', 'Pacific/Apia', 'America/St_Johns'),
  // within reach of changes of the clock, both ways
  now: fc.constantFrom('2026-03-30T09:30:00Z', '2026-11-02T12:00:00Z', '2026-04-06T00:10:00Z'),
  days: fc.constantFrom(1, 7, 30, 45, 200),
  // since when there is anything at all
  reachDays: fc.constantFrom(16, 33, 70),
  bookings: fc.array(anyBooking, { minLength: 8, maxLength: 24, size: 'max' }),
  events: fc.array(
    fc.record({
      atMin: fc.integer({ min: -45 * 24 * 60, max: 16 * 24 * 60 }),
      lengthMin: fc.constantFrom(30, 90, 40 * 60),
      guests: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  ),
  preventions: fc.array(fc.record({ beforeMin: fc.integer({ min: 0, max: 60 * 24 * 60 }), isMasked: fc.boolean() }), {
    maxLength: 6,
  }),
});

const guests = [
  'a@one.example',
  'b@one.example',
  'c@two.example',
  'd@three.example',
  'e@four.example',
  'f@five.example',
  'g@six.example',
];

let worlds = 0;

async function live(history: typeof anyHistory extends fc.Arbitrary<infer H> ? H : never): Promise<World> {
  const { db } = server.app;
  const nowMs = Temporal.Instant.from(history.now).epochMilliseconds;
  worlds += 1;
  clock.set('2025-06-01T00:00:00Z');
  const [me, mate] = [
    await signUpUser(server, `me${worlds}@own.example`),
    await signUpUser(server, `mate${worlds}@own.example`),
  ];
  await sql`update accounts.users set zone = ${history.zone} where id in (${me.userId}, ${mate.userId})`.execute(db);
  const { calendarId } = await insertOwnAccount(server, me);
  await sql`delete from sync.mirrors where user_id = ${me.userId}`.execute(db);
  await sql`delete from calendar.items where user_id = ${me.userId}`.execute(db);
  const own = await insertBookable(server, me, 'intro');
  const teamId = await insertTeam(server, `team${worlds}`, [{ user: me }, { user: mate }]);
  const ofTeam = await insertTeamType(server, { teamId, handle: `team${worlds}` }, [{ user: me }, { user: mate }], {
    kind: 'round-robin',
  });
  // other hours from some day on: what was open then stays as it was
  const switchMs = nowMs - 10 * day;
  const policyId = randomUUID();
  await inTransaction(db, async (tx) => {
    await sql`insert into availability.policies (id, user_id, name, version, created_ms) values (${policyId}, ${me.userId}, 'Usual', 2, 0)`.execute(
      tx,
    );
    for (const [n, end, createdMs] of [
      [1, '17:00', 0],
      [2, '13:00', switchMs],
    ] as const) {
      const on = { enabled: true, intervals: [{ start: '09:00', end }] };
      const weekly = {
        monday: on,
        tuesday: on,
        wednesday: on,
        thursday: on,
        friday: on,
        saturday: { ...on, enabled: false },
        sunday: on,
      };
      await sql`insert into availability.versions (policy_id, n, hours, created_ms)
        values (${policyId}, ${n}, ${JSON.stringify({ timezone: history.zone, weekly, overrides: [] })}::jsonb, ${createdMs})`.execute(
        tx,
      );
    }
    await sql`insert into availability.defaults (user_id, from_ms, policy_id) values (${me.userId}, 0, ${policyId})`.execute(
      tx,
    );
  });
  // from here on sums follow every change
  for (const { userId } of [me, mate]) await recountPerson(db, userId);

  const bookings: Booking[] = [];
  const visits: World['visits'] = [];
  for (const plan of history.bookings) {
    const createdMs = nowMs - ((plan.beforeMin - 1) % (history.reachDays * 24 * 60)) * minute - minute;
    const startMs = Math.ceil((createdMs + plan.leadMin * minute) / (15 * minute)) * 15 * minute;
    const booking: Booking = {
      id: randomUUID(),
      appointmentId: randomUUID(),
      hostIds: plan.whose === 'both' ? [me.userId, mate.userId] : [plan.whose === 'mine' ? me.userId : mate.userId],
      team: plan.whose !== 'mine',
      state: plan.first,
      createdMs,
      startMs,
      endMs: startMs + plan.lengthMin * minute,
      confirmedMs: plan.first === 'confirmed' ? createdMs : null,
      endedMs: null,
      guestNoShow: false,
      hostNoShow: false,
      guestZone: plan.guestZone,
      email: guests[plan.guest] ?? '',
      isCounted: plan.first !== 'awaiting-mail',
    };
    await write(
      booking,
      booking.team ? ofTeam.typeId : own.typeId,
      plan.first === 'pending' ? 'requested' : plan.first === 'confirmed' ? 'confirmed' : 'mail-wanted',
    );
    let atMs = createdMs;
    for (const { step, afterMin } of plan.steps) {
      atMs += afterMin * minute;
      if (atMs > nowMs) break;
      const what = act(booking, step, atMs, me.userId, mate.userId);
      if (what !== null) await write(booking, null, what);
    }
    bookings.push(booking);
    if (plan.visit !== null && !booking.team) {
      const isSent = plan.visit === 'submitted' && booking.isCounted;
      const visit = {
        firstMs: createdMs - 2 * minute,
        chosenMs: plan.visit === 'viewed' ? null : createdMs - minute,
        submittedMs: isSent ? createdMs : null,
        booking: isSent ? booking : null,
      };
      visits.push(visit);
      await sql`insert into analytics.visits (event_type_id, visitor, first_ms, last_ms, chosen_ms, submitted_ms, booking_id)
        values (${own.typeId}, '\\x00', ${visit.firstMs}, ${createdMs}, ${visit.chosenMs}, ${visit.submittedMs}, ${visit.booking?.id ?? null})`.execute(
        db,
      );
    }
  }
  const events: Event[] = [];
  for (const [n, plan] of history.events.entries()) {
    const startMs = nowMs + plan.atMin * minute;
    const one = {
      startMs,
      endMs: startMs + plan.lengthMin * minute,
      uid: `event${worlds}-${n}`,
      addresses: plan.guests.map((guest) => guests[guest] ?? ''),
    };
    events.push(one);
    await writeEvent(me.userId, calendarId, one);
  }
  const preventions = history.preventions.map(({ beforeMin, isMasked }) => ({
    atMs: nowMs - beforeMin * minute,
    kind: isMasked ? ('masked' as const) : ('rejected' as const),
  }));
  for (const { atMs, kind } of preventions)
    await sql`insert into booking.preventions (host_id, item_id, rec_id, kind, event_type_id, calendar_id, start_ms, end_ms, at_ms)
      values (${me.userId}, ${randomUUID()}, '', ${kind}, ${own.typeId}, ${calendarId}, ${atMs}, ${atMs + hour}, ${atMs})`.execute(
      db,
    );
  await sql`update analytics.began set at_ms = 0`.execute(db);
  clock.set(history.now);
  return { zone: history.zone, nowMs, me, mate, teamId, bookings, events, visits, preventions, switchMs };
}

/** The booking after the step; null where the step is impossible. */
function act(
  booking: Booking,
  step: (typeof steps)[number],
  atMs: number,
  me: UserId,
  mate: UserId,
): BookingChange | null {
  const { state, startMs } = booking;
  const isOpen = state === 'pending' || state === 'confirmed';
  if (step === 'confirm' && state === 'pending') {
    Object.assign(booking, { state: 'confirmed', confirmedMs: atMs });
    return 'confirmed';
  }
  if (step === 'confirm' && state === 'awaiting-mail') {
    Object.assign(booking, { state: 'confirmed', confirmedMs: atMs, isCounted: true });
    return 'confirmed';
  }
  if (step === 'cancel' && isOpen) {
    Object.assign(booking, { state: 'cancelled', endedMs: atMs });
    return 'cancelled';
  }
  if (step === 'decline' && state === 'pending') {
    Object.assign(booking, { state: 'declined', endedMs: atMs });
    return 'declined';
  }
  if (step === 'expire' && (state === 'pending' || state === 'awaiting-mail')) {
    Object.assign(booking, { state: 'expired', endedMs: atMs });
    return 'expired';
  }
  if (step === 'move' && isOpen) {
    const by = 5 * day + 45 * minute;
    Object.assign(booking, { startMs: startMs + by, endMs: booking.endMs + by });
    return 'rescheduled';
  }
  if (state === 'confirmed' && atMs >= startMs && step !== 'hand-over') {
    if (step === 'guest-away') booking.guestNoShow = true;
    else if (step === 'guest-there') booking.guestNoShow = false;
    else if (step === 'host-away') booking.hostNoShow = true;
    else return null;
    return 'no-show';
  }
  if (step === 'hand-over' && isOpen && booking.team) {
    booking.hostIds = booking.hostIds.length === 2 ? [mate] : [booking.hostIds[0] === me ? mate : me];
    return 'reassigned';
  }
  return null;
}

/** Puts a booking as it is now into the tables, and tells of it, in one transaction. */
async function write(booking: Booking, typeId: string | null, what: BookingChange): Promise<void> {
  const { id, appointmentId, hostIds, state } = booking;
  const [first] = hostIds;
  const live = state === 'pending' || state === 'confirmed' || state === 'awaiting-mail';
  await inTransaction(server.app.db, async (tx) => {
    if (typeId !== null) {
      await sql`insert into booking.appointments (id, user_id, event_type_id, host_ids, title, start_ms, end_ms, buffer_before_ms,
          buffer_after_ms, seats, location, event_key)
        values (${appointmentId}, ${first}, ${typeId}, ${hostIds}::uuid[], 'Talk', ${booking.startMs}, ${booking.endMs}, 0, 0, 1,
          '{"kind":"link","url":"https://meet.example.org/x"}', ${appointmentId})`.execute(tx);
      await sql`insert into booking.bookings (id, uid, appointment_id, seat, user_id, event_type_id, state, expires_ms, token_hash,
          guest_name, guest_email, guest_zone, created_ms, confirmed_ms)
        values (${id}, ${id}, ${appointmentId}, 1, ${first}, ${typeId}, ${state},
          ${state === 'awaiting-mail' ? booking.createdMs + hour : null}, ${Buffer.from(id)}, 'Guest', ${booking.email},
          ${booking.guestZone}, ${booking.createdMs}, ${booking.confirmedMs})`.execute(tx);
    }
    await sql`update booking.appointments set start_ms = ${booking.startMs}, end_ms = ${booking.endMs}, user_id = ${first},
      host_ids = ${hostIds}::uuid[], live = ${live} where id = ${appointmentId}`.execute(tx);
    await sql`update booking.bookings set state = ${state}, user_id = ${first}, confirmed_ms = ${booking.confirmedMs},
      ended_ms = ${booking.endedMs}, guest_no_show = ${booking.guestNoShow}, host_no_show = ${booking.hostNoShow},
      expires_ms = ${state === 'awaiting-mail' ? booking.createdMs + hour : null} where id = ${id}`.execute(tx);
    await sql`insert into booking.audit (booking_id, at_ms, actor, kind) values (${id}, 0, 'system', ${what})`.execute(
      tx,
    );
    await server.app.news.announce(tx, bookingChanged, { bookingId: id, userId: first ?? '', what, sequence: 0 });
  });
}

async function writeEvent(
  userId: UserId,
  calendarId: string,
  { startMs, endMs, uid, addresses }: Event,
): Promise<void> {
  const { db } = server.app;
  const itemId = randomUUID();
  await sql`insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title)
    values (${itemId}, ${calendarId}, ${userId}, ${uid}, ${uid}, '1', 'foreign', '{}', '', 'Event')`.execute(db);
  await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, meeting)
    values (${userId}, ${calendarId}, ${itemId}, '', ${startMs}, ${endMs}, false, 'busy', ${addresses.length > 0})`.execute(
    db,
  );
  await sql`insert into contacts.readings (item_id, calendar_id, version) values (${itemId}, ${calendarId}, '1')`.execute(
    db,
  );
  for (const address of addresses)
    await sql`insert into contacts.attendances (item_id, user_id, address) values (${itemId}, ${userId}, ${address})`.execute(
      db,
    );
}

// the reference

interface Range {
  fromMs: number;
  toMs: number;
  first: Temporal.PlainDate;
  end: Temporal.PlainDate;
}

const midnight = (date: Temporal.PlainDate, zone: string) => date.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
const local = (ms: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
const inRange = (ms: number | null, { fromMs, toMs }: Range) => ms !== null && ms >= fromMs && ms < toMs;
const round1 = (value: number) => Math.round(value * 10) / 10 + 0;

function rangeOf(nowMs: number, zone: string, days: number, back = 0): Range {
  const end = local(nowMs, zone)
    .toPlainDate()
    .add({ days: 1 - back * days });
  const first = end.subtract({ days });
  return { fromMs: midnight(first, zone), toMs: midnight(end, zone), first, end };
}

function referTo(all: Booking[], { nowMs }: World, now: Range, before: Range) {
  const counted = all.filter((one) => one.isCounted);
  const created = (range: Range) => counted.filter((one) => inRange(one.createdMs, range));
  const isHeld = (one: Booking) =>
    one.endMs <= nowMs && one.state === 'confirmed' && !one.guestNoShow && !one.hostNoShow;
  const due = (range: Range) =>
    counted.filter(
      (one) =>
        inRange(one.startMs, range) &&
        one.endMs <= nowMs &&
        (one.state === 'confirmed' || (one.state === 'cancelled' && (one.endedMs ?? 0) >= one.startMs)),
    );
  const away = (range: Range) => due(range).filter((one) => one.state === 'confirmed' && one.guestNoShow);
  const rate = (top: number, bottom: number) => (bottom === 0 ? null : round1((100 * top) / bottom));
  const minus = (one: number | null, other: number | null) =>
    one === null || other === null ? null : round1(one - other);
  const kept = (range: Range) =>
    created(range).filter((one) => !(one.state === 'cancelled' && (one.endedMs ?? 0) - one.createdMs <= 5 * minute));
  const lead = (some: Booking[]) =>
    some.length === 0
      ? null
      : round1(some.reduce((sum, one) => sum + (one.startMs - one.createdMs), 0) / some.length / day);
  const [value, previous] = [created(now).length, created(before).length];
  const held = counted.filter((one) => inRange(one.startMs, now) && isHeld(one));
  const [noShowNow, noShowBefore] = [now, before].map((range) => rate(away(range).length, due(range).length)) as [
    number | null,
    number | null,
  ];
  return {
    total_meetings: {
      value,
      previous,
      delta_pct: previous === 0 ? null : round1((100 * (value - previous)) / previous),
      held: held.length,
      upcoming: created(now).filter((one) => one.state === 'confirmed' && one.endMs > nowMs).length,
    },
    no_show_rate: {
      numerator: away(now).length,
      denominator: due(now).length,
      value_pct: noShowNow,
      previous_pct: noShowBefore,
      delta_pct: minus(noShowNow, noShowBefore),
      host_no_shows: due(now).filter((one) => one.state === 'confirmed' && one.hostNoShow).length,
    },
    avg_booking_time: {
      value_days: lead(kept(now)),
      previous_days: lead(kept(before)),
      delta_days: minus(lead(kept(now)), lead(kept(before))),
      bookings: kept(now).length,
    },
    lines: {
      bookings_created: (range: Range) => created(range).length,
      meetings_held: (range: Range) => counted.filter((one) => inRange(one.startMs, range) && isHeld(one)).length,
      cancellations: (range: Range) =>
        counted.filter((one) => one.state === 'cancelled' && inRange(one.endedMs, range)).length,
      no_shows: (range: Range) => away(range).length,
      avg_lead_time_days: (range: Range) => lead(created(range)),
    },
  };
}

function referToSlots(all: Booking[], zone: string, perspective: string, now: Range) {
  const taken = all.filter(
    (one) => one.isCounted && inRange(one.startMs, now) && (one.state === 'confirmed' || one.state === 'pending'),
  );
  const cells = new Map<string, number>();
  const hours = new Map<number, number>();
  for (const one of taken) {
    const at = local(one.startMs, perspective === 'invitee' ? (one.guestZone ?? zone) : zone);
    cells.set(`${at.dayOfWeek - 1} ${at.hour}`, (cells.get(`${at.dayOfWeek - 1} ${at.hour}`) ?? 0) + 1);
    hours.set(at.hour, (hours.get(at.hour) ?? 0) + 1);
  }
  const top = [...hours]
    .map(([at, count]) => ({ hour: at, count }))
    .sort((one, other) => other.count - one.count || one.hour - other.hour)
    .slice(0, 3);
  return { total: taken.length, cells, top };
}

/** Minute by minute. */
/** In minutes. */
function referToCapacity({ zone, me, events, bookings, switchMs }: World, range: Range) {
  let [open, available, booked] = [0, 0, 0];
  const step = 15 * minute; // bookings and open hours begin and end on quarters; events are cut exactly
  for (let atMs = range.fromMs; atMs < range.toMs; atMs += step) {
    const at = local(atMs, zone);
    const end = atMs >= switchMs ? 13 : 17;
    // a version that begins within a quarter is looked at minute by minute
    for (let ms = atMs; ms < Math.min(atMs + step, range.toMs); ms += minute) {
      const isOpen = at.dayOfWeek !== 6 && at.hour >= 9 && at.hour < (ms >= switchMs ? 13 : 17) && end > 0;
      if (!isOpen) continue;
      open += 1;
      if (!events.some((one) => one.startMs <= ms && ms < one.endMs)) available += 1;
      const isBooked = bookings.some(
        (one) => one.state === 'confirmed' && one.hostIds.includes(me.userId) && one.startMs <= ms && ms < one.endMs,
      );
      if (isBooked) booked += 1;
    }
  }
  return { open, available, booked };
}

function referToForecast(all: Booking[], meetings: readonly { startMs: number }[], world: World, zone: string) {
  const { nowMs } = world;
  const counted = all.filter((one) => one.isCounted);
  const today = local(nowMs, zone);
  const on = (date: Temporal.PlainDate) => counted.filter((one) => local(one.startMs, zone).toPlainDate().equals(date));
  const first = counted.reduce((least, one) => Math.min(least, one.createdMs), nowMs);
  const firstDate = local(first, zone).toPlainDate();
  const days = Array.from({ length: 14 }, (_, ahead) => {
    const date = today.toPlainDate().add({ days: ahead });
    const later: number[] = [];
    for (let week = 1; later.length < 8 && week < 30; week += 1) {
      const past = date.subtract({ weeks: week });
      if (Temporal.PlainDate.compare(past, today.toPlainDate()) >= 0) continue;
      if (Temporal.PlainDate.compare(past, firstDate) < 0) break;
      const seenAt = past
        .subtract({ days: ahead })
        .toZonedDateTime({ timeZone: zone, plainTime: today.toPlainTime() }).epochMilliseconds;
      const final = on(past).filter((one) => one.state === 'confirmed').length;
      const known = on(past).filter(
        (one) =>
          one.confirmedMs !== null && one.confirmedMs <= seenAt && (one.endedMs === null || one.endedMs > seenAt),
      ).length;
      later.push(final - known);
    }
    const scheduled = meetings.filter((one) => local(one.startMs, zone).toPlainDate().equals(date)).length;
    const pickup =
      later.length === 0 ? 0 : (later.reduce((sum, one) => sum + one, 0) / later.length) * (later.length / 8);
    return { date: date.toString(), scheduled, expected: Math.max(0, round1(scheduled + pickup)) };
  });
  const weeks = today.toPlainDate().since(firstDate, { largestUnit: 'days' }).days / 7;
  return weeks < 2 && days.every(({ scheduled }) => scheduled === 0) ? null : days;
}

/** Meetings by what makes them one, with who was there. */
function meetingsOf({
  me,
  bookings,
  events,
}: World): { startMs: number; key: string; isBooked: boolean; addresses: string[]; isOrganised: boolean }[] {
  const booked = bookings
    .filter(
      (one) =>
        one.isCounted &&
        one.state === 'confirmed' &&
        !one.guestNoShow &&
        !one.hostNoShow &&
        one.hostIds.includes(me.userId),
    )
    .map((one) => ({
      startMs: one.startMs,
      key: one.id,
      isBooked: true,
      addresses: [one.email],
      isOrganised: one.hostIds[0] === me.userId,
    }));
  const others = events
    .filter((one) => one.addresses.length > 0)
    .map((one) => ({
      startMs: one.startMs,
      key: one.uid,
      isBooked: false,
      addresses: one.addresses,
      isOrganised: true,
    }));
  return [...booked, ...others];
}

test('every dashboard figure agrees with its definition, its stored sums and its explained rows', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const world = await live(history);
      const { me, nowMs, bookings } = world;
      const mine = bookings.filter((one) => one.hostIds.includes(me.userId));
      const ofTeam = bookings.filter((one) => one.team);
      for (const zone of [world.zone, history.askZone]) {
        const [now, before] = [rangeOf(nowMs, zone, history.days), rangeOf(nowMs, zone, history.days, 1)];
        const dates = { from: now.first.toString(), to: now.end.toString(), zone };
        const asked: Asked = { ...dates, perspective: history.days === 7 ? 'invitee' : 'organizer' };
        for (const [some, more] of [
          [mine, {}],
          [ofTeam, { team_id: world.teamId }],
        ] as const) {
          const { data, range } = await getDashboard(server.app, me, { ...asked, ...more });
          expect(range).toMatchObject({
            from: dates.from,
            previous: { from: before.first.toString(), to: dates.from },
          });
          const { lines, ...wanted } = referTo(some, world, now, before);
          expect(data).toMatchObject(wanted);
          expect(data.booking_trends.total_events).toBe(wanted.total_meetings.value);
          const points = data.booking_trends.series.bookings_created.map(({ x }) => Temporal.PlainDate.from(x));
          for (const [n, point] of points.entries()) {
            const bucket = {
              fromMs: midnight(point, zone),
              toMs: midnight(points[n + 1] ?? now.end, zone),
              first: point,
              end: point,
            };
            for (const [name, count] of Object.entries(lines))
              expect([name, n, data.booking_trends.series[name as keyof typeof lines][n]?.y]).toEqual([
                name,
                n,
                count(bucket),
              ]);
          }
          const slots = referToSlots(some, zone, asked.perspective ?? '', now);
          expect(data.popular_time_slots.top_slots).toEqual(slots.top);
          expect(data.popular_time_slots.total).toBe(slots.total);
          for (const [weekday, row] of data.popular_time_slots.heatmap.entries())
            for (const { hour: at, count } of row) expect(count).toBe(slots.cells.get(`${weekday} ${at}`) ?? 0);
          const held = some.filter(
            (one) => one.isCounted && one.state === 'confirmed' && !one.guestNoShow && !one.hostNoShow,
          );
          // a team has bookings alone
          const ahead = referToForecast(some, 'team_id' in more ? held : meetingsOf(world), world, zone);
          expect(
            data.meeting_forecast.forecast?.map((one) => [one.date, one.scheduled, one.expected_meetings]) ?? null,
          ).toEqual(ahead?.map((one) => [one.date, one.scheduled, one.expected]) ?? null);
        }
        const { data } = await getDashboard(server.app, me, asked);
        const isKnown = (visit: World['visits'][number]) =>
          visit.booking?.confirmedMs != null &&
          visit.chosenMs !== null &&
          visit.booking.confirmedMs - visit.chosenMs <= day;
        const begun = world.visits.filter((visit) => inRange(visit.firstMs, now));
        expect(data.funnel?.stages.map(({ count }) => count)).toEqual([
          begun.length,
          begun.filter(({ chosenMs }) => chosenMs !== null).length,
          begun.filter(({ submittedMs }) => submittedMs !== null).length,
          begun.filter(isKnown).length,
          begun.filter((visit) => {
            const one = visit.booking;
            return (
              isKnown(visit) && one?.state === 'confirmed' && one.endMs <= nowMs && !one.guestNoShow && !one.hostNoShow
            );
          }).length,
        ]);
        expect(data.conflict_prevention).toMatchObject({
          conflicts_prevented: world.preventions.filter(({ atMs }) => inRange(atMs, now)).length,
          conflicts_last_period: world.preventions.filter(({ atMs }) => inRange(atMs, before)).length,
          masked: world.preventions.filter(({ atMs, kind }) => kind === 'masked' && inRange(atMs, now)).length,
          mirrored_slots_pct: null,
        });
        const meetings = meetingsOf(world).filter(({ startMs }) => inRange(startMs, now));
        const byUs = meetings.filter(({ isBooked }) => isBooked).length;
        expect(Object.fromEntries(data.meeting_sources.sources.map(({ source, count }) => [source, count]))).toEqual({
          ...(byUs > 0 ? { direct: byUs } : {}),
          ...(meetings.length > byUs ? { other: meetings.length - byUs } : {}),
        });
        const organised = meetings.filter(({ isOrganised }) => isOrganised);
        const met = new Set(organised.flatMap(({ addresses }) => addresses));
        const known = [...met].filter((address) =>
          meetingsOf(world).some(
            (one) => one.isOrganised && one.startMs < now.fromMs && one.addresses.includes(address),
          ),
        );
        expect(data.participant_insights).toMatchObject({
          repeat_participants: known.length,
          new_participants: met.size - known.length,
        });
        const domains = new Map<string, number>();
        for (const { addresses } of organised)
          for (const domain of new Set(addresses.map((address) => address.split('@')[1] ?? '')))
            domains.set(domain, (domains.get(domain) ?? 0) + 1);
        expect(data.participant_insights.top_domains).toEqual(
          [...domains]
            .map(([domain, count]) => ({ domain, meetings: count }))
            .sort((one, other) => other.meetings - one.meetings || (one.domain < other.domain ? -1 : 1))
            .slice(0, 5),
        );
        if (history.days <= 45) {
          const { open, available, booked } = referToCapacity(world, now);
          expect(data.capacity_utilization).toMatchObject({
            hours_open: round1(open / 60),
            hours_available: round1(available / 60),
            hours_booked: round1(booked / 60),
            utilization_pct: available === 0 ? null : Math.min(100, Math.round((100 * booked) / available)),
          });
        }
        for (const panel of panels) {
          const { data: alone, explain } = await getPanel(server.app, me, panel, { ...asked, explain: '1' });
          const inAll = data[panel.replaceAll('-', '_') as keyof typeof data];
          if (panel !== 'calendar-health') expect(alone).toEqual(inAll);
          if (explain === undefined) throw new Error('nothing was explained');
          // rows lead on to what they are of
          for (const { kind, id, booking_id: bookingId, event_id: eventId } of explain.rows) {
            if (kind === 'booking') expect([bookingId, eventId]).toEqual([id, null]);
            if (bookingId !== null) expect(bookings.map((one) => one.id)).toContain(bookingId);
            if (panel === 'meeting-sources' || panel === 'meeting-forecast')
              expect((bookingId === null) !== (eventId === null)).toBe(true);
            if (panel === 'conflict-prevention') expect(eventId).toBe(id);
          }
          const sum = (part: 'numerator' | 'denominator') =>
            explain.rows.reduce((all, row) => all + row[part], explain.rest[part]);
          if (explain.numerator !== null) expect(sum('numerator')).toBeCloseTo(explain.numerator, 6);
          if (explain.denominator !== null) expect(sum('denominator')).toBeCloseTo(explain.denominator, 6);
        }
        const { explain } = await getPanel(server.app, me, 'booking-trends', { ...asked, explain: '1' });
        for (const name of ['bookings_created', 'meetings_held', 'cancellations', 'no_shows'] as const)
          expect(explain?.rows.filter(({ part }) => part === name)).toHaveLength(
            data.booking_trends.series[name].reduce((all, { y }) => all + (y ?? 0), 0),
          );
      }
      expect(await recountAll(server.app.db)).toMatchObject({ bookings: 0, sums: 0 });
    }),
    { numRuns: 5, examples: [[emptyHistory]], endOnFailure: true },
  );
}, 120_000);

const emptyHistory: Parameters<typeof live>[0] = {
  zone: 'America/New_York',
  askZone: 'Asia/Kolkata',
  now: '2026-03-30T09:30:00Z',
  days: 30,
  reachDays: 70,
  bookings: [],
  events: [],
  preventions: [],
};

test('a wrong stored sum is found and corrected by a recount', async () => {
  const user = await signUpUser(server, 'wrong@own.example');
  const { typeId } = await insertBookable(server, user, 'intro');
  await recountPerson(server.app.db, user.userId);
  const booking: Booking = {
    id: randomUUID(),
    appointmentId: randomUUID(),
    hostIds: [user.userId],
    team: false,
    state: 'confirmed',
    createdMs: clock.nowMs(),
    startMs: clock.nowMs() + day,
    endMs: clock.nowMs() + day + hour,
    confirmedMs: clock.nowMs(),
    endedMs: null,
    guestNoShow: false,
    hostNoShow: false,
    guestZone: null,
    email: 'g@six.example',
    isCounted: true,
  };
  await write(booking, typeId, 'confirmed');
  await sql`update analytics.days set created = created + 3 where host_id = ${user.userId}`.execute(server.app.db);
  await sql`update analytics.facts set state = 'pending' where booking_id = ${booking.id as BookingId}`.execute(
    server.app.db,
  );
  const found = await recountAll(server.app.db);
  expect(found.bookings).toBe(1);
  expect(found.sums).toBeGreaterThan(0);
  expect(await recountAll(server.app.db)).toMatchObject({ bookings: 0, sums: 0 });
});
