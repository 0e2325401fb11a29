import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { followPolicy, listOpenHours } from '#features/availability/public.ts';
import type { PolicyId } from '#kernel/ids.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { availabilityContract } from './contract.ts';
import { listHolidays } from './holidays.ts';
import type { FollowedPolicy } from './rules/followed-policy.ts';
import { defaultHours, type Hours, mostIntervals, mostOverrides } from './rules/hours.ts';

let server: TestApp;
const clock = fixedClock('2027-03-01T09:00:00Z'); // a Monday
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
});
afterAll(() => server.close());

let people = 0;
async function newPerson(zone = 'Europe/Berlin') {
  people += 1;
  const user = await signUpUser(server, `open${people}@example.org`);
  await user.as(accountsContract).changePreferences({ body: { timezone: zone } });
  return { user, api: user.as(availabilityContract) };
}

const hoursFrom = (start: string, end = '17:00', zone = 'Europe/Berlin'): Hours => {
  const hours = defaultHours(zone);
  hours.weekly.monday = { enabled: true, intervals: [{ start, end }] };
  return hours;
};
const mondayOf = ({ hours }: { hours: Hours }) => hours.weekly.monday.intervals[0]?.start;

/** The openings of a day in Berlin, as the person reads them. */
async function openOn({ userId }: TestUser, day: string, zone = 'Europe/Berlin') {
  const startMs = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
  const range = { startMs, endMs: startMs + 86_400_000 };
  const [open] = await listOpenHours(server.app.db, [{ userId, policy: { kind: 'default' } }], range, clock.nowMs());
  const time = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms)
      .toZonedDateTimeISO(zone)
      .toPlainTime()
      .toString({ smallestUnit: 'minute' });
  return open?.spans.map((span) => `${time(span.startMs)}-${time(span.endMs)}`).join(' ');
}

const create = async (
  { api }: Awaited<ReturnType<typeof newPerson>>,
  name: string,
  hours: Hours,
  apply = false,
): Promise<PolicyId> => {
  const { policies } = await api.createPolicy({ body: { name, hours, note: '', apply } });
  return policies.find((policy) => policy.name === name)?.policy_id as PolicyId;
};

/** The stored versions of a policy. */
async function versionsOf(policyId: PolicyId): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select n from availability.versions where policy_id = ${policyId} order by n`.execute(server.app.db);
  return rows.map(({ n }) => n);
}

describe('default opening hours', () => {
  it('a user without saved hours is open on weekdays from nine to five in their own time zone', async () => {
    const person = await newPerson();
    expect(await person.api.readAvailability({})).toMatchObject({
      current: { policy_id: null, version: 0, hours: { timezone: 'Europe/Berlin' } },
      policies: [],
    });
    expect(await openOn(person.user, '2027-03-01')).toBe('09:00-17:00');
    expect(await openOn(person.user, '2027-03-06')).toBe('');
    const nowhere = await newPerson('UTC');
    const { current } = await nowhere.api.readAvailability({});
    expect(current.hours.timezone).toBe('America/New_York');
  });
});

describe('availability policies', () => {
  it('a policy is saved only on top of its newest version, and a stale save changes nothing', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', hoursFrom('08:00'), true);
    const save = (version: number, start: string) =>
      person.api.savePolicy({
        params: { policyId },
        body: { version, name: 'Usual', hours: hoursFrom(start), note: 'later' },
      });
    const saved = await save(1, '10:00');
    expect(saved.policies).toMatchObject([{ version: 2, active: true, note: 'later' }]);
    await expect(save(1, '11:00')).rejects.toMatchObject({ status: 409, code: 'STALE' });
    const both = await Promise.allSettled([save(2, '12:00'), save(2, '13:00')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { versions } = await person.api.listVersions({ params: { policyId } });
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(versions.map(mondayOf).slice(1)).toEqual(['10:00', '08:00']);
  });

  it('a policy is rolled back by a new version with the old hours', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', hoursFrom('08:00'), true);
    await person.api.savePolicy({
      params: { policyId },
      body: { version: 1, name: 'Usual', hours: hoursFrom('10:00'), note: '' },
    });
    const back = await person.api.rollBackPolicy({ params: { policyId }, body: { version: 2, to: 1 } });
    expect(back.current).toMatchObject({ version: 3 });
    expect(mondayOf(back.current)).toBe('08:00');
    await expect(
      person.api.rollBackPolicy({ params: { policyId }, body: { version: 2, to: 1 } }),
    ).rejects.toMatchObject({
      code: 'STALE',
    });
  });

  it('of 60 versions of a policy the last 50 are kept, and the one that something is pinned to', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', hoursFrom('08:00'));
    await person.api.savePolicy({
      params: { policyId },
      body: { version: 1, name: 'Usual', hours: hoursFrom('10:00'), note: '' },
    });
    const follower = { kind: 'event-type', id: randomUUID(), name: 'Coffee' };
    await inTransaction(server.app.db, (tx) =>
      followPolicy(tx, person.user.userId, follower, { kind: 'version', policyId, n: 2 }),
    );
    for (let version = 2; version < 60; version += 1)
      await person.api.rollBackPolicy({ params: { policyId }, body: { version, to: version - 1 } });
    expect(await versionsOf(policyId)).toEqual([2, ...Array.from({ length: 50 }, (_, at) => at + 11)]);
    const { versions } = await person.api.listVersions({ params: { policyId } });
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, at) => 60 - at));
  });

  it('a deleted policy keeps no versions, or its last one while it is among the last 50 defaults', async () => {
    const person = await newPerson();
    const { userId } = person.user;
    const [never, former] = [
      await create(person, 'Never', hoursFrom('08:00')),
      await create(person, 'Former', hoursFrom('08:00')),
    ];
    const usual = await create(person, 'Usual', hoursFrom('08:00'), true);
    await sql`insert into availability.defaults (user_id, from_ms, policy_id) values (${userId}, 1, ${former})`.execute(
      server.app.db,
    );
    for (const policyId of [never, former]) {
      await person.api.savePolicy({
        params: { policyId },
        body: { version: 1, name: policyId, hours: hoursFrom('10:00'), note: '' },
      });
      await person.api.deletePolicy({ params: { policyId } });
    }
    expect([await versionsOf(never), await versionsOf(former)]).toEqual([[], [2]]);
    await sql`
      insert into availability.defaults (user_id, from_ms, policy_id)
      select ${userId}, n, ${usual} from generate_series(2, 60) n`.execute(server.app.db);
    await person.api.applyPolicy({ params: { policyId: usual }, body: { from: null } });
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from availability.defaults where user_id = ${userId}`.execute(server.app.db);
    expect([rows, await versionsOf(former)]).toEqual([[{ count: 50 }], []]);
    expect((await person.api.readAvailability({})).policies).toMatchObject([{ name: 'Usual', active: true }]);
  });

  it('a policy becomes the default now or from a later day, and a planned switch can be cancelled', async () => {
    const person = await newPerson();
    await create(person, 'Usual', hoursFrom('08:00'), true);
    const summer = await create(person, 'Summer', hoursFrom('06:00', '12:00'));
    const later = await person.api.applyPolicy({ params: { policyId: summer }, body: { from: '2027-03-22' } });
    expect(later.switches).toEqual([{ policy_id: summer, from: '2027-03-21T23:00:00.000Z' }]);
    expect([await openOn(person.user, '2027-03-15'), await openOn(person.user, '2027-03-22')]).toEqual([
      '08:00-17:00',
      '06:00-12:00',
    ]);
    await person.api.cancelSwitch({ params: { from: '2027-03-21T23:00:00.000Z' } });
    expect(await openOn(person.user, '2027-03-22')).toBe('08:00-17:00');
    const now = await person.api.applyPolicy({ params: { policyId: summer }, body: { from: null } });
    expect(now.policies.filter(({ active }) => active).map(({ name }) => name)).toEqual(['Summer']);
    await expect(
      person.api.applyPolicy({ params: { policyId: summer }, body: { from: '2027-02-01' } }),
    ).rejects.toMatchObject({ code: 'BAD_DAY' });
  });

  it('a policy in use is not deleted, and the refusal names what uses it', async () => {
    const person = await newPerson();
    await create(person, 'Usual', hoursFrom('08:00'), true);
    const summer = await create(person, 'Summer', hoursFrom('06:00'));
    const follower = { kind: 'event-type', id: randomUUID(), name: 'Coffee' };
    const follow = (policy: Parameters<typeof followPolicy>[3]) =>
      inTransaction(server.app.db, (tx) => followPolicy(tx, person.user.userId, follower, policy));
    await follow({ kind: 'version', policyId: summer, n: 1 });
    await expect(follow({ kind: 'version', policyId: summer, n: 2 })).rejects.toMatchObject({ kind: 'not-found' });
    const remove = () => person.api.deletePolicy({ params: { policyId: summer } });
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      code: 'IN_USE',
      fields: { [`event-type ${follower.id}`]: 'Coffee' },
    });
    await follow({ kind: 'default' });
    const { policies } = await remove();
    expect(policies.map(({ name }) => name)).toEqual(['Usual']);
    // the name is free again
    await create(person, 'summer', hoursFrom('06:00'));
    await expect(create(person, 'SUMMER', hoursFrom('06:00'))).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  });

  it('a policy is followed at its newest or a fixed version, by its owner only', async () => {
    const person = await newPerson();
    const other = await newPerson();
    const policyId = await create(person, 'Usual', hoursFrom('08:00'));
    await person.api.savePolicy({
      params: { policyId },
      body: { version: 1, name: 'Usual', hours: hoursFrom('10:00'), note: '' },
    });
    const startMs = Date.UTC(2027, 2, 8);
    const asked = [
      { userId: person.user.userId, policy: { kind: 'policy', policyId } },
      { userId: person.user.userId, policy: { kind: 'version', policyId, n: 1 } },
      { userId: other.user.userId, policy: { kind: 'policy', policyId } },
    ] as const;
    const open = await listOpenHours(server.app.db, asked, { startMs, endMs: startMs + 86_400_000 }, clock.nowMs());
    expect(open.map(({ spans, versions }) => [spans[0]?.startMs, versions.map(({ n }) => n)])).toEqual([
      [startMs + 9 * 3_600_000, [2]],
      [startMs + 7 * 3_600_000, [1]],
      [undefined, []],
    ]);
    await expect(other.api.listVersions({ params: { policyId } })).rejects.toMatchObject({ status: 404 });
    await expect(other.api.applyPolicy({ params: { policyId }, body: { from: null } })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('a policy with invalid hours is refused with an error at the field', async () => {
    const { user } = await newPerson();
    const refused = async (hours: Hours) => {
      const response = await server.inject({
        method: 'POST',
        url: '/api/availability/policies',
        headers: { authorization: `Bearer ${user.token}` },
        payload: { name: 'Nothing', hours, note: '', apply: true },
      });
      expect(response.statusCode).toBe(400);
      return Object.keys(response.json<{ detail: { fields: object } }>().detail.fields);
    };
    expect(await refused(hoursFrom('09:00', '09:00'))).toEqual(['hours.weekly.monday.intervals.0.end']);
    const twice = [0, 1].map(() => ({ date: '2027-03-02', intervals: [] }));
    expect(await refused({ ...hoursFrom('09:00'), overrides: twice })).toEqual(['hours.overrides']);
    expect(await refused({ ...hoursFrom('09:00'), timezone: '+02:00' })).toEqual(['hours.timezone']);
  });

  /** Hours of 366 dates, each with the most time ranges of a day: 4,765 times. */
  const longHours = (shift: number): Hours => {
    const time = (minutes: number) =>
      `${`${Math.floor(minutes / 60)}`.padStart(2, '0')}:${`${minutes % 60}`.padStart(2, '0')}`;
    const intervals = Array.from({ length: mostIntervals }, (_, n) => ({
      start: time(n * 115 + shift),
      end: time(n * 115 + shift + 5),
    }));
    const first = Temporal.PlainDate.from('2027-03-01');
    const overrides = Array.from({ length: mostOverrides }, (_, n) => ({
      date: first.add({ days: n }).toString(),
      intervals,
    }));
    return { ...hoursFrom('09:00'), overrides };
  };
  const closedOn = (dates: number): Hours => ({
    ...hoursFrom('09:00'),
    overrides: longHours(0)
      .overrides.slice(0, dates)
      .map(({ date }) => ({ date, intervals: [] })),
  });
  const timesOf = ({ weekly, overrides }: Hours) =>
    [...Object.values(weekly), ...overrides].reduce((sum, { intervals }) => sum + intervals.length, overrides.length);

  it('policies that together hold more than 5,000 time ranges and dates are refused, and those stored before are read', async () => {
    const person = await newPerson();
    expect(timesOf(longHours(0))).toBe(366 + 366 * 12 + 7);
    const first = await create(person, 'First', longHours(0));
    await expect(create(person, 'Second', longHours(1))).rejects.toMatchObject({ status: 409, code: 'TOO_MANY' });
    const second = await create(person, 'Second', hoursFrom('08:00'));
    const lengthen = () =>
      person.api.savePolicy({
        params: { policyId: second },
        body: { version: 1, name: 'Second', hours: longHours(1), note: '' },
      });
    await expect(lengthen()).rejects.toMatchObject({ status: 409, code: 'TOO_MANY' });
    const { policies } = await person.api.readAvailability({});
    expect(policies.map(({ hours }) => timesOf(hours))).toEqual([4_765, 7]);
    await person.api.deletePolicy({ params: { policyId: first } });
    expect((await lengthen()).policies.map(({ hours }) => timesOf(hours))).toEqual([4_765]);
    const atOnce = await Promise.allSettled(['a', 'b', 'c'].map((name) => create(person, name, closedOn(200))));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await sql`update availability.versions set hours = ${JSON.stringify(longHours(2))}::jsonb
      where policy_id in (select id from availability.policies where user_id = ${person.user.userId})`.execute(
      server.app.db,
    );
    const stored = await person.api.readAvailability({});
    expect(stored.policies.map(({ hours }) => timesOf(hours))).toEqual([4_765, 4_765]);
    const [over] = stored.policies;
    if (over === undefined) throw new Error('A policy is missing.');
    const save = (version: number, hours: Hours) =>
      person.api.savePolicy({
        params: { policyId: over.policy_id },
        body: { version, name: over.name, hours, note: '' },
      });
    await save(over.version, closedOn(300));
    const longer = save(over.version + 1, closedOn(301));
    await expect(longer).rejects.toMatchObject({ status: 409, code: 'TOO_MANY' });
    expect((await save(over.version + 1, hoursFrom('09:00'))).policies.map(({ hours }) => timesOf(hours))).toEqual([
      7, 4_765,
    ]);
  });

  it('versions of a policy are listed while their hours together have up to 5,000 time ranges and dates', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', longHours(0));
    const save = (version: number, hours: Hours) =>
      person.api.savePolicy({ params: { policyId }, body: { version, name: 'Usual', hours, note: '' } });
    const listed = async () => {
      const { versions } = await person.api.listVersions({ params: { policyId } });
      return versions.map(({ version }) => version);
    };
    await save(1, hoursFrom('08:00'));
    expect(await listed()).toEqual([2, 1]);
    await save(2, longHours(2));
    expect(await listed()).toEqual([3, 2]);
    await save(3, longHours(3));
    expect(await listed()).toEqual([4]);
    await person.api.rollBackPolicy({ params: { policyId }, body: { version: 4, to: 2 } });
    expect(await listed()).toEqual([5, 4]);
  });

  it('open hours of the past are read from versions with up to 5,000 times beside the newest', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', longHours(0), true);
    const other = await create(person, 'Other', hoursFrom('06:00'));
    const saved = [hoursFrom('08:00'), longHours(1), longHours(2), longHours(3), longHours(4), hoursFrom('10:00')];
    for (const [n, hours] of saved.entries()) {
      clock.advance({ hours: 24 });
      await person.api.savePolicy({ params: { policyId }, body: { version: n + 1, name: 'Usual', hours, note: '' } });
    }
    let chars = 0;
    const db = server.app.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        chars += JSON.stringify(result.rows).length;
        return result;
      },
    });
    const startMs = Date.UTC(2027, 2, 1);
    const ask = async (policy: FollowedPolicy) => {
      chars = 0;
      const [open] = await listOpenHours(
        db,
        [{ userId: person.user.userId, policy }],
        { startMs, endMs: startMs + 60 * 86_400_000 },
        clock.nowMs(),
      );
      // seven long versions have 900,000
      expect(chars).toBeLessThan(200_000);
      return open;
    };
    const open = await ask({ kind: 'default' });
    expect(open?.versions.map(({ n }) => n)).toEqual([0, 6, 7]);
    expect(open?.spans.at(-1)?.endMs).toBeGreaterThan(startMs + 58 * 86_400_000);
    expect((await ask({ kind: 'policy', policyId }))?.versions.map(({ n }) => n)).toEqual([6, 7]);
    expect((await ask({ kind: 'policy', policyId: other }))?.versions.map(({ n }) => n)).toEqual([1]);
    // a deleted default of the past is one of the old versions
    await person.api.applyPolicy({ params: { policyId: other }, body: { from: null } });
    await person.api.deletePolicy({ params: { policyId } });
    expect((await ask({ kind: 'default' }))?.versions.map(({ n }) => n)).toEqual([0, 7, 1]);
    clock.set('2027-03-01T09:00:00Z');
  });

  it('50 changes of the default can be planned, and one for a planned day replaces it', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', hoursFrom('08:00'), true);
    const other = await create(person, 'Other', hoursFrom('10:00'));
    const plan = (days: number, of = policyId) => {
      const from = Temporal.PlainDate.from('2027-04-01').add({ days }).toString();
      return person.api.applyPolicy({ params: { policyId: of }, body: { from } });
    };
    for (let n = 0; n < 49; n += 1) await plan(n);
    const atOnce = await Promise.allSettled([plan(49), plan(50, other)]);
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(plan(51)).rejects.toMatchObject({
      status: 409,
      code: 'TOO_MANY',
      message: 'You can have up to 50 planned changes. Remove one you no longer need.',
    });
    expect((await plan(3, other)).switches).toHaveLength(50);
    expect((await person.api.applyPolicy({ params: { policyId: other }, body: { from: null } })).switches).toHaveLength(
      50,
    );
    await person.api.cancelSwitch({ params: { from: '2027-03-31T22:00:00.000Z' } });
    expect((await plan(51)).switches).toHaveLength(50);
  });

  it('two default policies for one moment violate a database constraint', async () => {
    const person = await newPerson();
    const policyId = await create(person, 'Usual', hoursFrom('08:00'), true);
    const again = sql`insert into availability.defaults (user_id, from_ms, policy_id)
      values (${person.user.userId}, ${clock.nowMs()}, ${policyId})`.execute(server.app.db);
    await expect(again).rejects.toMatchObject({ constraint: 'defaults_pkey' });
  });
});

describe('days off, holidays and travel', () => {
  it('days off, holidays and travel change the open hours, and an override outranks them', async () => {
    const person = await newPerson();
    const { days_off } = await person.api.addDaysOff({
      body: { first_day: '2027-03-02', last_day: '2027-03-03', reason: 'Skiing' },
    });
    const holidays = await person.api.setHolidays({ body: { country: 'DE', region: 'BY', worked: ['05-01'] } });
    expect(holidays.holidays.days.find(({ day }) => day === '2027-03-26')).toMatchObject({ worked: false });
    expect(holidays.holidays.days.find(({ day }) => day === '2027-05-01')).toMatchObject({ worked: true });
    await person.api.addTravel({ body: { first_day: '2027-03-10', last_day: '2027-03-12', zone: 'Europe/London' } });
    const days = ['2027-03-02', '2027-03-04', '2027-03-11', '2027-03-26'];
    expect(await Promise.all(days.map((day) => openOn(person.user, day)))).toEqual([
      '',
      '09:00-17:00',
      '10:00-18:00',
      '',
    ]);
    const hours = {
      ...hoursFrom('09:00'),
      overrides: days.map((date) => ({ date, intervals: [{ start: '07:00', end: '08:00' }] })),
    };
    await create(person, 'Overridden', hours, true);
    expect(await Promise.all(days.map((day) => openOn(person.user, day)))).toEqual([
      '07:00-08:00',
      '07:00-08:00',
      '08:00-09:00',
      '07:00-08:00',
    ]);
    await person.api.removeDaysOff({ params: { id: days_off[0]?.id ?? '' } });
    expect((await person.api.setHolidays({ body: { country: null, region: null, worked: [] } })).holidays.days).toEqual(
      [],
    );
  });

  it('a day off leaves the hours open that began the evening before, and closes its own night', async () => {
    const person = await newPerson();
    const night = hoursFrom('22:00', '02:00');
    night.weekly.tuesday = { enabled: true, intervals: [{ start: '22:00', end: '02:00' }] };
    night.weekly.wednesday = { enabled: false, intervals: [] };
    await create(person, 'Night', night, true);
    await person.api.addDaysOff({ body: { first_day: '2027-03-09', last_day: '2027-03-09', reason: '' } });
    expect(await openOn(person.user, '2027-03-09')).toBe('00:00-02:00');
    expect(await openOn(person.user, '2027-03-10')).toBe('');
  });

  it('overlapping or reversed travel dates and an unknown holiday region are refused', async () => {
    const { api } = await newPerson();
    const travel = (first_day: string, last_day: string) =>
      api.addTravel({ body: { first_day, last_day, zone: 'Asia/Tokyo' } });
    await travel('2027-03-10', '2027-03-12');
    await expect(travel('2027-03-12', '2027-03-14')).rejects.toMatchObject({ status: 409, code: 'OVERLAP' });
    await expect(travel('2027-03-20', '2027-03-19')).rejects.toMatchObject({ status: 400, code: 'BAD_DAYS' });
    await expect(api.setHolidays({ body: { country: 'DE', region: 'XX', worked: [] } })).rejects.toMatchObject({
      code: 'NO_COUNTRY',
    });
  });

  it('a holiday of several days counts each day', async () => {
    const range = { startMs: Date.UTC(2027, 2, 1), endMs: Date.UTC(2027, 3, 1) };
    const days = (await listHolidays('TR', null, range)).map(({ day }) => day);
    expect(days).toEqual(expect.arrayContaining(['2027-03-10', '2027-03-11']));
  });
});

describe('open hours', () => {
  it('open hours of several users take one query', async () => {
    const some = await Promise.all([newPerson(), newPerson(), newPerson()]);
    for (const person of some) await create(person, 'Usual', hoursFrom('08:00'), true);
    const count = async (asked: readonly { user: TestUser }[]) => {
      let queries = 0;
      const db = server.app.db.withPlugin({
        transformQuery: ({ node }) => {
          queries += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const questions = asked.map(({ user }) => ({ userId: user.userId, policy: { kind: 'default' } as const }));
      const open = await listOpenHours(
        db,
        questions,
        { startMs: clock.nowMs(), endMs: clock.nowMs() + 1e8 },
        clock.nowMs(),
      );
      return [queries, open.length];
    };
    expect([await count(some.slice(0, 1)), await count(some)]).toEqual([
      [1, 1],
      [1, 3],
    ]);
  });

  it('open hours follow every database change at once and are reloaded only after a change', async () => {
    const person = await newPerson();
    const { userId } = person.user;
    const policyId = await create(person, 'Usual', hoursFrom('08:00'), true);
    const later = await create(person, 'Later', hoursFrom('12:00'));
    let queries = 0;
    const db = server.app.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const startMs = Date.UTC(2027, 2, 8);
    const ask = async (policy: FollowedPolicy = { kind: 'default' }) => {
      queries = 0;
      const range = { startMs, endMs: startMs + 86_400_000 };
      const [open] = await listOpenHours(db, [{ userId, policy }], range, clock.nowMs());
      return [queries, open?.spans.map((span) => (span.startMs - startMs) / 3_600_000)];
    };
    expect([await ask(), await ask()]).toEqual([
      [1, [7]],
      [1, [7]],
    ]);
    const id = randomUUID();
    const changes: [ReturnType<typeof sql>, number[]][] = [
      [
        sql`insert into availability.days_off (id, user_id, first_day, last_day) values (${id}, ${userId}, '2027-03-08', '2027-03-08')`,
        [],
      ],
      [sql`update availability.days_off set first_day = '2027-03-09', last_day = '2027-03-09' where id = ${id}`, [7]],
      [
        sql`insert into availability.travels (id, user_id, zone, first_day, last_day) values (${id}, ${userId}, 'Europe/London', '2027-03-08', '2027-03-08')`,
        [8],
      ],
      [sql`delete from availability.travels where id = ${id}`, [7]],
      [sql`insert into availability.holidays (user_id, country) values (${userId}, 'RU')`, []],
      [sql`update availability.holidays set country = 'DE' where user_id = ${userId}`, [7]],
      [sql`update availability.defaults set policy_id = ${later} where user_id = ${userId}`, [11]],
      [sql`update availability.defaults set policy_id = ${policyId} where user_id = ${userId}`, [7]],
      [
        sql`with version as (insert into availability.versions select policy_id, 2, ${JSON.stringify(hoursFrom('10:00'))}, '', null, ${clock.nowMs()}
          from availability.versions where policy_id = ${policyId})
        update availability.policies set version = 2 where id = ${policyId}`,
        [9],
      ],
      [sql`delete from availability.defaults where user_id = ${userId}`, [8]],
    ];
    for (const [change, starts] of changes) {
      await change.execute(server.app.db);
      expect([await ask(), await ask()]).toEqual([
        [2, starts],
        [1, starts],
      ]);
    }
    const pinned = { kind: 'version', policyId, n: 1 } as const;
    expect([await ask(pinned), await ask({ kind: 'policy', policyId }), await ask()]).toEqual([
      [1, [7]],
      [1, [9]],
      [1, [8]],
    ]);
    await sql`delete from accounts.users where id = ${userId}`.execute(server.app.db);
    expect((await ask())[1]).toEqual([]);
  });

  it('open hours changed in a rolled-back transaction are not visible outside it', async () => {
    const person = await newPerson();
    await create(person, 'Usual', hoursFrom('08:00'), true);
    const startMs = Date.UTC(2027, 2, 8);
    const starts = async (db: Database) => {
      const asked = [{ userId: person.user.userId, policy: { kind: 'default' } as const }];
      const [open] = await listOpenHours(db, asked, { startMs, endMs: startMs + 86_400_000 }, clock.nowMs());
      return open?.spans.length;
    };
    const takenBack = inTransaction(server.app.db, async (tx) => {
      await sql`insert into availability.days_off (id, user_id, first_day, last_day)
        values (${randomUUID()}, ${person.user.userId}, '2027-03-08', '2027-03-08')`.execute(tx);
      expect([await starts(tx), await starts(server.app.db), await starts(tx)]).toEqual([0, 1, 0]);
      throw new Error('taken back');
    });
    await expect(takenBack).rejects.toThrow('taken back');
    expect(await starts(server.app.db)).toBe(1);
  });
});

describe('rules for tentative holds', () => {
  it("a rule for tentative holds accepts a user's own calendar, color or prefix, and a repeated rule updates its rank", async () => {
    const { user, api } = await newPerson();
    const owned = await insertOwnAccount(server, user);
    const set = (kind: 'calendar' | 'color' | 'title-prefix' | 'focus', value: string, rank: 2 | 4 = 4) =>
      api.setHold({ body: { kind, value, rank } });
    await set('calendar', owned.calendarId);
    await set('title-prefix', 'Hold:');
    const { holds } = await set('title-prefix', 'Hold:', 2);
    expect(holds.map(({ kind, rank }) => [kind, rank])).toEqual([
      ['title-prefix', 2],
      ['calendar', 4],
    ]);
    await expect(set('calendar', randomUUID())).rejects.toMatchObject({ code: 'BAD_VALUE' });
    await expect(set('color', 'red')).rejects.toMatchObject({ code: 'BAD_VALUE' });
    await expect(set('title-prefix', ' ')).rejects.toMatchObject({ code: 'BAD_VALUE' });
    const left = await api.removeHold({ params: { id: holds[0]?.id ?? '' } });
    expect(left.holds).toHaveLength(1);
  });
});

it('availability data is deleted with its user', async () => {
  const { user, api } = await newPerson();
  const policyId = await create({ user, api }, 'Usual', hoursFrom('08:00'), true);
  await inTransaction(server.app.db, (tx) =>
    followPolicy(
      tx,
      user.userId,
      { kind: 'event-type', id: randomUUID(), name: 'Coffee' },
      { kind: 'policy', policyId },
    ),
  );
  const days = { first_day: '2027-03-10', last_day: '2027-03-12' };
  await api.addDaysOff({ body: { ...days, reason: '' } });
  await api.addTravel({ body: { ...days, zone: 'Asia/Tokyo' } });
  await api.setHolidays({ body: { country: 'DE', region: null, worked: [] } });
  await api.setHold({ body: { kind: 'focus', value: '', rank: 4 } });
  const tables = ['policies', 'defaults', 'policy_uses', 'days_off', 'travels', 'holidays', 'hold_rules'];
  const rows = async () => {
    const counts = tables.map(async (table) => {
      const of = sql.id('availability', table);
      const { rows: found } = await sql`select from ${of} where user_id = ${user.userId}`.execute(server.app.db);
      return found.length;
    });
    const versions = await sql`select from availability.versions where policy_id = ${policyId}`.execute(server.app.db);
    return [...(await Promise.all(counts)), versions.rows.length];
  };
  expect(await rows()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  await sql`delete from accounts.users where id = ${user.userId}`.execute(server.app.db);
  expect(await rows()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});
