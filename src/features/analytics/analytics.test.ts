import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import { type Bookable, insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { analyticsContract } from './contract.ts';
import { sendDigests } from './digests.ts';
import { getDashboard, getPanel } from './panels/panels.ts';
import { recountAll, recountPerson } from './sums.ts';
import { flushVisits } from './visits.ts';

const start = '2027-03-01T13:00:00Z'; // a Monday, eight in New York
const clock = fixedClock(start);
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const signal = new AbortController().signal;
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock });
  await sql`update analytics.began set at_ms = ${clock.nowMs() - 86_400_000}`.execute(server.app.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.set(start);
  await sql`delete from platform.limits`.execute(server.app.db);
});

interface Host {
  user: TestUser;
  place: Bookable;
  page: string;
}

let hosts = 0;
async function newHost(): Promise<Host> {
  hosts += 1;
  const user = await signUpUser(server, `host${hosts}@example.org`);
  await sql`update accounts.users set zone = 'America/New_York' where id = ${user.userId}`.execute(server.app.db);
  const place = await insertBookable(server, user, 'intro');
  return { user, place, page: `/host${hosts}/intro` };
}

const api = ({ user }: Pick<Host, 'user'>) => user.as(analyticsContract);
const minuteOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds / 60_000;
const nine = minuteOf('2027-03-01T14:00:00Z');

let networks = 0;
const stranger = () => {
  networks += 1;
  return { remoteAddress: `198.51.100.${networks}`, headers: { 'user-agent': firefox } };
};
type Visitor = ReturnType<typeof stranger> & { headers: Record<string, string> };

/** The pages are not built here: what is told of the visitor is told all the same. */
const look = (page: string, { remoteAddress, headers }: Visitor, more: Record<string, string> = {}) =>
  server.inject({ url: page, remoteAddress, headers: { accept: 'text/html', ...headers, ...more } });
const hold = ({ place }: Pick<Host, 'place'>, visitor: Visitor, startMinute = nine) =>
  server.inject({ method: 'POST', url: `${place.path}/holds`, payload: { start: startMinute }, ...visitor });
let guests = 0;
// a guest who books a lot at once has to prove their address
const nextGuest = () => {
  guests += 1;
  return `gus${guests}@guest.example`;
};

async function book({ place }: Pick<Host, 'place'>, visitor: Visitor, startMinute = nine, email = nextGuest()) {
  const answer = await server.inject({
    method: 'POST',
    url: `${place.path}/bookings`,
    payload: { start: startMinute, name: 'Gus Guest', email, zone: 'Europe/Berlin' },
    ...visitor,
  });
  expect(answer.statusCode).toBe(201);
  return answer.json() as { bookings: { token: string }[] };
}
const stages = async (host: Pick<Host, 'user'>) => {
  await flushVisits(server.app);
  const { data } = await api(host).funnel({});
  return data?.stages.map(({ count }) => count);
};
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return await work.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
}

describe('page visits', () => {
  test('a visit is counted at each funnel stage once within half an hour, from page view to held meeting', async () => {
    const host = await newHost();
    const visitor = stranger();
    expect(await stages(host)).toEqual([0, 0, 0, 0, 0]);
    expect((await api(host).conversionRate({})).data).toMatchObject({ value_pct: null, denominator: 0 });
    await look(host.page, visitor);
    await look(`${host.page}?tz=UTC`, visitor);
    await look(host.page, stranger());
    expect(await stages(host)).toEqual([2, 0, 0, 0, 0]);
    clock.advance({ minutes: 20 });
    expect((await hold(host, visitor)).statusCode).toBe(201);
    expect(await stages(host)).toEqual([2, 1, 0, 0, 0]);
    clock.advance({ minutes: 20 });
    await book(host, visitor, nine + 60);
    expect(await stages(host)).toEqual([2, 1, 1, 1, 0]);
    expect((await api(host).conversionRate({})).data).toMatchObject({ value_pct: 100, numerator: 1, denominator: 1 });
    clock.advance({ hours: 4 });
    expect(await stages(host)).toEqual([2, 1, 1, 1, 1]);
    // after a pause it is another visit
    await look(host.page, visitor);
    expect(await stages(host)).toEqual([3, 1, 1, 1, 1]);
    const { explain } = await api(host).conversionRate({ query: { explain: '1' } });
    expect(explain).toMatchObject({
      numerator: 1,
      denominator: 1,
      rows: [{ kind: 'visit', part: 'held', numerator: 1 }],
    });
  });

  test('a time chosen without JavaScript counts as a chosen slot in the funnel', async () => {
    const host = await newHost();
    const visitor = stranger();
    await look(`${host.page}?slot=${nine}`, visitor);
    expect(await stages(host)).toEqual([1, 1, 0, 0, 0]);
  });

  test('visits of bots, prefetches, the host and visitors who opt out of tracking are not counted', async () => {
    const host = await newHost();
    const other = await newHost();
    await look(host.page, { ...stranger(), headers: { 'user-agent': 'curl/8.9' } });
    await look(host.page, stranger(), { dnt: '1' });
    await look(host.page, stranger(), { 'sec-gpc': '1' });
    await look(host.page, stranger(), { 'sec-purpose': 'prefetch;prerender' });
    await look(host.page, stranger(), { cookie: `holdfast=${host.user.token}` });
    expect(await stages(host)).toEqual([0, 0, 0, 0, 0]);
    // a person with another account is a visitor
    await look(host.page, stranger(), { cookie: `holdfast=${other.user.token}` });
    expect(await stages(host)).toEqual([1, 0, 0, 0, 0]);
    const quiet = await book(host, { ...stranger(), headers: { 'user-agent': firefox, dnt: '1' } });
    expect(quiet.bookings).toHaveLength(1);
    expect(await stages(host)).toEqual([1, 0, 0, 0, 0]);
    expect((await api(host).totalMeetings({})).data.value).toBe(1);
  });

  test('visits store only a hash of the visitor, with a salt that is replaced each day', async () => {
    const host = await newHost();
    const visitor = stranger();
    await look(host.page, visitor);
    await flushVisits(server.app);
    const salts = () =>
      sql<{ day: Temporal.PlainDate; salt: string }>`select day, salt from analytics.salts`.execute(server.app.db);
    const [before] = (await salts()).rows;
    const { rows } = await sql<{ row: string }>`
      select v::text as row from analytics.visits v where event_type_id = ${host.place.typeId}`.execute(server.app.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(visitor.remoteAddress);
    clock.advance({ hours: 24 });
    await look(host.page, visitor);
    await flushVisits(server.app);
    const after = (await salts()).rows;
    expect(after).toHaveLength(1);
    expect(after[0]?.salt).not.toBe(before?.salt);
    expect(await stages(host)).toEqual([2, 0, 0, 0, 0]);
  });

  test('recording many visits takes as many SQL statements as recording one', async () => {
    const host = await newHost();
    const count = async (looks: number) => {
      for (let n = 0; n < looks; n += 1) await look(host.page, stranger());
      let queries = 0;
      const { db } = server.app;
      const { VisitBook } = await import('./visits.ts');
      const counted = db.withPlugin({
        transformQuery: ({ node }) => {
          queries += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const visits = new VisitBook({ ...server.app, db: counted });
      for (let n = 0; n < looks; n += 1) {
        const { remoteAddress, headers } = stranger();
        const request = { ip: remoteAddress, userAgent: headers['user-agent'] };
        visits.add({ what: 'viewed', eventTypeId: host.place.typeId, hostIds: [host.user.userId], request });
      }
      await visits.flush();
      return queries;
    };
    expect(await count(1)).toBe(await count(20));
  });
});

describe('dashboard figures', () => {
  test('dashboard figures follow a booking and its cancellation at once', async () => {
    const host = await newHost();
    const { bookings } = await book(host, stranger());
    expect((await api(host).totalMeetings({})).data).toMatchObject({ value: 1, upcoming: 1, held: 0, delta_pct: null });
    // to come is what was booked in these days, however far ahead
    await book(host, stranger(), nine + 7 * 24 * 60);
    expect((await api(host).totalMeetings({})).data).toMatchObject({ value: 2, upcoming: 2, held: 0 });
    const { explain } = await api(host).totalMeetings({ query: { explain: '1' } });
    expect(explain).toMatchObject({
      numerator: 2,
      rows: [{ kind: 'booking', title: 'Intro', with: 'Gus Guest' }, { kind: 'booking' }],
    });
    const token = bookings[0]?.token ?? '';
    const cancelled = await server.inject({
      method: 'POST',
      url: `/api/booked/${token}/cancel`,
      payload: {},
    });
    expect(cancelled.statusCode).toBe(200);
    const { data } = await api(host).bookingTrends({});
    expect(data.granularity).toBe('day');
    expect(data.series.cancellations.at(-1)).toEqual({ x: '2027-03-01', y: 1 });
    expect((await api(host).totalMeetings({})).data).toMatchObject({ value: 2, upcoming: 1 });
    // cancelled within five minutes: no booking time
    expect((await api(host).avgBookingTime({})).data).toMatchObject({ value_days: 7, bookings: 1 });
    await server.settle();
    expect(await recountAll(server.app.db)).toMatchObject({ bookings: 0, sums: 0 });
  });

  test('dashboard figures without data are null and their panels empty', async () => {
    const host = await newHost();
    const { data, range } = await api(host).dashboard({});
    expect(range).toEqual({
      from: '2027-01-31',
      to: '2027-03-02',
      zone: 'America/New_York',
      previous: { from: '2027-01-01', to: '2027-01-31' },
    });
    expect(data).toMatchObject({
      total_meetings: { value: 0, delta_pct: null },
      no_show_rate: { value_pct: null, denominator: 0 },
      conversion_rate: { value_pct: null },
      calendar_health: { total_connected: 0, sync_health_score: null, connected_calendars: [] },
      conflict_prevention: { conflicts_prevented: 0, mirrored_slots_pct: null },
      meeting_sources: { sources: [], total: 0 },
      participant_insights: { top_domains: [], new_participants: 0 },
      meeting_forecast: { forecast: null },
      capacity_utilization: { hours_open: 168, hours_booked: 0, utilization_pct: 0 },
    });
    expect(data.booking_trends.series.avg_lead_time_days.every(({ y }) => y === null)).toBe(true);
    // visits of a time when none were recorded, and events that are long over
    const old = await api(host).dashboard({ query: { from: '2026-09-01', to: '2026-10-01' } });
    expect(old.data).toMatchObject({ conversion_rate: null, funnel: null });
    expect(old.data.meeting_sources).toMatchObject({ since: '2026-10-01', previous_total: null });
    expect(old.data.capacity_utilization).toMatchObject({ hours_open: null, utilization_pct: null });
    const ahead = await api(host).bookingTrends({ query: { start_date: '2027-03-01', end_date: '2027-03-04' } });
    expect(ahead.data.series.bookings_created.map(({ y }) => y)).toEqual([0, null, null]);
  });

  test('the capacity of 728 days with 100,000 busy times opens to its days without holding up others', async () => {
    const host = await newHost();
    const { calendarId, itemId } = await insertOwnAccount(server, host.user);
    await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
      select ${host.user.userId}, ${calendarId}, ${itemId}, n::text, ${clock.nowMs()}::bigint + n * 600000,
        ${clock.nowMs()}::bigint + n * 600000 + 60000, false, 'busy' from generate_series(1::bigint, 100000) n`.execute(
      server.app.db,
    );
    let [lastMs, longestMs] = [performance.now(), 0];
    const ticking = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 10);
    const { data, explain } = await api(host).capacityUtilization({
      query: { from: '2027-03-01', to: '2029-02-26', explain: '1' },
    });
    const answeredMs = performance.now();
    await expect.poll(() => lastMs).toBeGreaterThan(answeredMs);
    clearInterval(ticking);
    expect(explain?.rows).toHaveLength(500);
    expect(explain?.denominator).toBeCloseTo(data.hours_available ?? 0, 1);
    // six minutes of each of eight hours are taken
    expect(explain?.rows.find(({ id }) => id === '2027-12-01')?.denominator).toBeCloseTo(7.2, 6);
    // the former walk held the event loop for 25 seconds
    expect(longestMs).toBeLessThan(10_000);
  });

  test('meetings are counted by source without reading their titles', async () => {
    const { user } = await newHost();
    const { calendarId, itemId } = await insertOwnAccount(server, user);
    const { db } = server.app;
    await sql`update calendar.items set title = ${'x'.repeat(990)} where id = ${itemId}`.execute(db);
    await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, meeting)
      select ${user.userId}, ${calendarId}, ${itemId}, n::text, ${clock.nowMs()}::bigint - n * 3600000,
        ${clock.nowMs()}::bigint - n * 3600000 + 60000, false, 'busy', true from generate_series(1::bigint, 100) n`.execute(
      db,
    );
    let chars = 0;
    const measured = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        chars += JSON.stringify(result.rows).length;
        return result;
      },
    });
    const ask = (explain?: '1') => getPanel({ ...server.app, db: measured }, user, 'meeting-sources', { explain });
    expect((await ask()).data).toMatchObject({ total: 100 });
    expect(chars).toBeLessThan(50_000);
    expect((await ask('1')).explain?.rows[0]?.title).toBe('x'.repeat(990));
  });

  test('the meeting forecast counts the meetings of calendars and opens to each of them', async () => {
    const user = await signUpUser(server, 'busy@example.org');
    await sql`update accounts.users set zone = 'America/New_York' where id = ${user.userId}`.execute(server.app.db);
    const { calendarId } = await insertOwnAccount(server, user);
    // twelve on seven days: one without anybody else and one beyond the fourteen days are none of them
    const days = [0, 1, 1, 3, 4, 6, 6, 6, 6, 6, 6, 13];
    for (const [n, ahead] of [...days, 2, 14].entries()) {
      const [itemId, startMs] = [randomUUID(), clock.nowMs() + (ahead * 24 + (n % 6)) * 3_600_000];
      await sql`insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title)
        values (${itemId}, ${calendarId}, ${user.userId}, ${itemId}, ${itemId}, '1', 'foreign', '{}', '', 'Standup')`.execute(
        server.app.db,
      );
      await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, meeting)
        values (${user.userId}, ${calendarId}, ${itemId}, '', ${startMs}, ${startMs + 1_800_000}, false, 'busy', ${n !== 12})`.execute(
        server.app.db,
      );
    }
    const { data, explain } = await api({ user }).meetingForecast({ query: { explain: '1' } });
    expect(data.forecast?.map(({ scheduled }) => scheduled)).toEqual([1, 2, 0, 1, 1, 0, 6, 0, 0, 0, 0, 0, 0, 1]);
    expect(data.forecast?.filter(({ busy }) => busy).map(({ date }) => date)).toEqual(['2027-03-07']);
    expect(data.busy_days).toBe(1);
    expect(explain).toMatchObject({ numerator: 12, rest: { rows: 0 } });
    for (const { date, scheduled } of data.forecast ?? [])
      expect(explain?.rows.filter(({ part }) => part === date)).toHaveLength(scheduled);
    expect(explain?.rows.every(({ title, event_id: eventId }) => title === 'Standup' && eventId !== null)).toBe(true);
    const direct = await api({ user }).meetingForecast({ query: { source: 'direct' } });
    expect(direct.data.forecast).toBeNull();
  });

  test('dashboard figures count days and hours in the requested time zone', async () => {
    const host = await newHost();
    await book(host, stranger());
    const made = async (zone?: string) =>
      (await api(host).totalMeetings({ query: { from: '2027-03-02', to: '2027-03-03', ...(zone ? { zone } : {}) } }))
        .data.value;
    expect(await made()).toBe(0);
    expect(await made('Pacific/Kiritimati')).toBe(1); // local time there is three in the night
    const { data } = await api(host).popularTimeSlots({ query: { perspective: 'invitee' } });
    expect(data.top_slots).toEqual([{ hour: 15, count: 1 }]);
    expect((await api(host).popularTimeSlots({ query: { timezone: 'UTC' } })).data.top_slots).toEqual([
      { hour: 14, count: 1 },
    ]);
  });

  test('dashboard figures are recounted when a user changes the time zone', async () => {
    const host = await newHost();
    await book(host, stranger());
    await server.settle();
    const zone = () =>
      sql`select zone, whole from analytics.people where user_id = ${host.user.userId}`.execute(server.app.db);
    expect((await zone()).rows).toEqual([{ zone: 'America/New_York', whole: true }]);
    await host.user.as(accountsContract).changePreferences({ body: { timezone: 'Asia/Kolkata' } });
    await server.settle();
    expect((await zone()).rows).toEqual([{ zone: 'Asia/Kolkata', whole: true }]);
    expect((await api(host).totalMeetings({})).data.value).toBe(1);
  });

  test('dashboard figures exclude bookings and calendars of other users, also when filtered by their ids', async () => {
    const [host, other] = [await newHost(), await newHost()];
    await book(other, stranger());
    const { calendarId } = await insertOwnAccount(server, other.user);
    for (const query of [{}, { event_type_id: [other.place.typeId] }, { calendar_id: calendarId as never }]) {
      const { data } = await api(host).dashboard({ query });
      expect(data).toMatchObject({
        total_meetings: { value: 0 },
        popular_time_slots: { total: 0 },
        meeting_sources: { total: 0 },
      });
      expect(data.calendar_health?.total_connected).toBe(0);
    }
    expect((await api(other).totalMeetings({ query: { event_type_id: [other.place.typeId] } })).data.value).toBe(1);
    expect((await api(other).totalMeetings({ query: { source: 'google' } })).data.value).toBe(0);
  });

  test('a dashboard request with an invalid range, member or parameter is refused', async () => {
    const host = await newHost();
    const ask = (query: object) => refusal(api(host).totalMeetings({ query: query as never }));
    expect(await ask({ from: '2027-03-02', to: '2027-03-02' })).toBe('RANGE');
    expect(await ask({ from: '2020-01-01', to: '2027-03-02' })).toBe('RANGE');
    expect(await ask({ member_id: host.user.userId })).toBe('MEMBER_WITHOUT_TEAM');
    for (const query of ['zone=Mars/Olympus', 'anything=1', 'from=soon', 'explain=2', 'source=carrier-pigeon']) {
      const headers = { authorization: `Bearer ${host.user.token}` };
      expect((await server.inject({ url: `/analytics/kpi/total-meetings?${query}`, headers })).statusCode, query).toBe(
        400,
      );
    }
  });

  test('a draft of opening hours adds popular closed hours without saving them', async () => {
    const host = await newHost();
    await book(host, stranger(), nine);
    await sql`update analytics.facts set start_ms = start_ms + 9 * 3600000, end_ms = end_ms + 9 * 3600000
      where host_id = ${host.user.userId}`.execute(server.app.db);
    const draft = await api(host).draftHours({});
    expect(draft.added).toEqual([{ weekday: 'monday', hour: 18, count: 1 }]);
    expect(draft.before.weekly.monday.intervals).toEqual([{ start: '09:00', end: '17:00' }]);
    expect(draft.after.weekly.monday.intervals).toEqual([
      { start: '09:00', end: '17:00' },
      { start: '18:00', end: '19:00' },
    ]);
    expect(draft).toMatchObject({ policy_id: null, version: 0 });
    await recountAll(server.app.db);
  });

  test('dashboard figures and their rows are exported as CSV', async () => {
    const host = await newHost();
    await book(host, stranger());
    const headers = { authorization: `Bearer ${host.user.token}` };
    const file = (query: string) => server.inject({ url: `/analytics/export.csv?${query}`, headers });
    const figures = await file('panel=total-meetings');
    expect(figures.headers['content-disposition']).toContain('total-meetings-2027-01-31-2027-03-02.csv');
    expect(figures.body).toContain('value,1\r\n');
    const rows = await file('panel=total-meetings&rows=1');
    expect(rows.body.split('\r\n')).toHaveLength(3);
    expect(rows.body).toContain('booking,');
    expect((await file('panel=popular-time-slots')).body.split('\r\n').length).toBeGreaterThan(7 * 24);
  });
});

describe('calendar panels', () => {
  test('calendar health scores follow mirror state and lost access, with masked account names', async () => {
    const host = await newHost();
    const { accountId, calendarId, otherCalendarId, mirrorId } = await insertOwnAccount(server, host.user);
    const { db } = server.app;
    await sql`update connections.calendars set last_synced_at = ${clock.now()} where connection_id = ${accountId}`.execute(
      db,
    );
    await sql`update connections.calendars set include_in_unified = false where id = ${otherCalendarId}`.execute(db);
    const health = async () => {
      const { data, explain } = await api(host).calendarHealth({ query: { explain: '1' } });
      const score = explain?.denominator ? Math.round((explain.numerator ?? 0) / explain.denominator) : null;
      return { ...data, explained: score };
    };
    const first = await health();
    expect(first).toMatchObject({ total_connected: 2, explained: first.sync_health_score });
    const target = first.connected_calendars?.find(({ weight, parts }) => weight === 2 && parts.mirrors < 1);
    // neither the panel nor its rows tell an address
    await sql`update connections.calendars set name = 'carla@example.org' where id = ${calendarId}`.execute(db);
    const named = await api(host).calendarHealth({ query: { explain: '1' } });
    expect(JSON.stringify(named)).not.toContain('carla@');
    expect(named.data?.connected_calendars.map(({ name }) => name)).toContain(`car${'*'.repeat(14)}`);
    // the only block has failed
    expect(target).toMatchObject({
      status: 'ok',
      account: 'hom*',
      last_sync_sec: 0,
      parts: { mirrors: 0, errors: 1, push: 1 },
    });
    expect(target?.score).toBe(70);
    await sql`update sync.mirrors set state = 'created', verified_at = ${clock.now()} where id = ${mirrorId}`.execute(
      db,
    );
    expect((await health()).sync_health_score).toBe(100);
    await sql`update connections.connections set status = 'needs-reconnect' where id = ${accountId}`.execute(db);
    expect(await health()).toMatchObject({
      sync_health_score: 0,
      connected_calendars: [{ status: 'error' }, { status: 'error' }],
    });
    expect(calendarId).not.toBe(otherCalendarId);
  });

  test("conflict prevention shows the mirrored share of busy time and this month's prevented conflicts", async () => {
    const host = await newHost();
    const { mirrorId, calendarId, itemId } = await insertOwnAccount(server, host.user);
    const { db } = server.app;
    const eventMs = clock.nowMs() + 86_400_000;
    await sql`delete from calendar.spans where item_id = ${itemId}`.execute(db);
    await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
      values (${host.user.userId}, ${calendarId}, ${itemId}, '', ${eventMs}, ${eventMs + 3_600_000}, false, 'busy')`.execute(
      db,
    );
    const share = async () => (await api(host).conflictPrevention({})).data;
    await sql`update sync.mirrors set state = 'pending' where id = ${mirrorId}`.execute(db);
    const pending = await share();
    expect(pending).toMatchObject({ mirrored_slots_pct: 0, mirrored_minutes: 0 });
    await sql`update sync.mirrors set state = 'created', verified_at = ${clock.now()} where id = ${mirrorId}`.execute(
      db,
    );
    expect(await share()).toMatchObject({ mirrored_slots_pct: 100, mirrored_minutes: pending.required_minutes });
    for (const [at, kind] of [
      ['2027-03-01T06:00:00Z', 'masked'],
      ['2027-02-01T12:00:00Z', 'rejected'],
      ['2027-02-02T12:00:00Z', 'rejected'],
    ] as const) {
      const atMs = Temporal.Instant.from(at).epochMilliseconds;
      await sql`insert into booking.preventions (host_id, item_id, rec_id, kind, calendar_id, start_ms, end_ms, at_ms)
        values (${host.user.userId}, ${randomUUID()}, '', ${kind}, ${calendarId}, ${atMs}, ${atMs + 1}, ${atMs})`.execute(
        db,
      );
    }
    // up to the same day of the month
    expect(await share()).toMatchObject({ conflicts_prevented: 1, masked: 1, rejected: 0, conflicts_last_period: 1 });
    const { data } = await api(host).conflictPrevention({ query: { from: '2027-02-01', to: '2027-03-02' } });
    expect(data.conflicts_prevented).toBe(3);
  });
});

describe('team figures', () => {
  test('team figures are visible to members only, with guest names only for members who see bookings', async () => {
    const [owner, viewer, outsider] = [await newHost(), await newHost(), await newHost()];
    const handle = `crew${hosts}`;
    const teamId = await insertTeam(server, handle, [{ user: owner.user }, { user: viewer.user, role: 'viewer' }]);
    const place = await insertTeamType(server, { teamId, handle }, [{ user: owner.user }, { user: viewer.user }], {
      kind: 'round-robin',
    });
    await book({ place }, stranger());
    await book({ place }, stranger(), nine + 60);
    const query = { team_id: teamId, explain: '1' } as const;
    const seen = await api(owner).totalMeetings({ query });
    expect([seen.data.value, seen.explain?.rows.map((row) => row.with)]).toEqual([2, ['Gus Guest', 'Gus Guest']]);
    const blind = await api(viewer).totalMeetings({ query });
    expect([blind.data.value, blind.explain?.rows.map((row) => row.with)]).toEqual([2, [null, null]]);
    const member_id = viewer.user.userId as UserId;
    expect((await api(owner).totalMeetings({ query: { ...query, member_id } })).data.value).toBe(1);
    expect(await refusal(api(outsider).totalMeetings({ query }))).toBe('NOT_FOUND');
    expect(await refusal(api(owner).totalMeetings({ query: { ...query, member_id: outsider.user.userId } }))).toBe(
      'NOT_FOUND',
    );
    expect(await refusal(api(outsider).dashboard({ query: { team_id: teamId } }))).toBe('NOT_FOUND');
    const { data } = await api(viewer).dashboard({ query: { team_id: teamId } });
    expect(data).toMatchObject({
      calendar_health: null,
      meeting_sources: { sources: [{ source: 'direct', count: 2 }] },
      participant_insights: { new_participants: 2, repeat_participants: 0 },
      capacity_utilization: { hours_open: 336 },
    });
    // people of a guest are not named to whom may not read them
    const { explain } = await api(viewer).participantInsights({ query });
    expect(explain?.rows.map((row) => row.with)).toEqual([null, null]);
    expect(JSON.stringify(explain)).not.toContain('@guest.example');
    const filters = await api(viewer).listFilters();
    expect(filters.teams).toMatchObject([{ team_id: teamId, members: [{}, {}] }]);
    expect(filters.event_types.map(({ team_id: of }) => of)).toEqual([null, teamId]);
    expect((await api(outsider).listFilters()).teams).toEqual([]);
  });

  test('team figures stay correct when one host of a shared booking leaves', async () => {
    const [first, second] = [await newHost(), await newHost()];
    const handle = `both${hosts}`;
    const teamId = await insertTeam(server, handle, [{ user: second.user }, { user: first.user }]);
    const place = await insertTeamType(server, { teamId, handle }, [{ user: first.user }, { user: second.user }], {
      kind: 'collective',
    });
    await book({ place }, stranger());
    await server.settle();
    expect((await api(second).totalMeetings({})).data.value).toBe(1);
    await sql`delete from booking.bookings where user_id = ${first.user.userId}`.execute(server.app.db);
    expect((await api(second).totalMeetings({})).data.value).toBe(0);
    await recountPerson(server.app.db, second.user.userId);
    expect((await api(second).totalMeetings({})).data.value).toBe(0);
    expect(await recountAll(server.app.db)).toMatchObject({ bookings: 0, sums: 0 });
  });
});

test('the dashboard takes the same number of SQL statements for any amount of data and range', async () => {
  const [empty, full] = [await newHost(), await newHost()];
  for (let n = 0; n < 6; n += 1) {
    await book(full, stranger(), nine + 60 * n, `g${n}@guest${n}.example`);
    await look(full.page, stranger());
  }
  await insertOwnAccount(server, full.user);
  await flushVisits(server.app);
  await server.settle();
  await recountPerson(server.app.db, empty.user.userId);
  const count = async ({ user }: Host, days: number) => {
    let queries = 0;
    const db = server.app.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const to = Temporal.PlainDate.from('2027-03-02');
    const from = to.subtract({ days }).toString();
    await getDashboard({ db, clock, config: server.app.config }, user, { from, to: to.toString() });
    return queries;
  };
  const first = await count(empty, 7);
  expect(first).toBeLessThanOrEqual(24);
  expect(await count(full, 7)).toBe(first);
  expect(await count(full, 365)).toBe(first);
});

test('the weekly digest is mailed once, on Monday morning, to subscribers only', async () => {
  const host = await newHost();
  await book(host, stranger());
  const digests = async () =>
    (await readMails(server, host.user.email))
      .filter(({ kind }) => kind === 'analytics.digest')
      .map(({ subject }) => subject);
  expect(await api(host).readDigest()).toEqual({ weekly: false, available: true });
  clock.set('2027-03-08T14:00:00Z'); // nine on Monday
  await sendDigests(server.app, signal);
  expect(await digests()).toEqual([]);
  expect(await api(host).chooseDigest({ body: { weekly: true } })).toEqual({ weekly: true, available: true });
  clock.set('2027-03-08T11:00:00Z'); // six
  await sendDigests(server.app, signal);
  expect(await digests()).toEqual([]);
  clock.set('2027-03-08T14:00:00Z');
  await sendDigests(server.app, signal);
  await sendDigests(server.app, signal);
  expect(await digests()).toEqual(['Your week from March 1, 2027 to March 7, 2027']);
  clock.set('2027-03-09T14:00:00Z');
  await sendDigests(server.app, signal);
  expect(await digests()).toHaveLength(1);
  expect(await api(host).chooseDigest({ body: { weekly: false } })).toEqual({ weekly: false, available: true });
  clock.set('2027-03-15T14:00:00Z');
  await sendDigests(server.app, signal);
  expect(await digests()).toHaveLength(1);
});
