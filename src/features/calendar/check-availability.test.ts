import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { availabilityContract } from '#features/availability/contract.ts';
import type { Core } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { applyChanges } from './apply-changes.ts';
import { calendarContract } from './contract.ts';

let server: TestApp;
let person: TestUser;
let owned: OwnedAccount;

beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock: fixedClock('2027-03-01T07:00:00Z') });
  person = await signUpUser(server, 'person@example.org');
  owned = await insertOwnAccount(server, person);
  await person.as(accountsContract).changePreferences({ body: { timezone: 'Europe/London' } });
  const availability = person.as(availabilityContract);
  await availability.setHold({ body: { kind: 'title-prefix', value: 'Hold:', rank: 4 } });
  await availability.setHold({ body: { kind: 'category', value: 'Board', rank: 2 } });
  await put('meeting', '2027-03-02T10:00:00', { title: 'Meeting' });
  await put('gym', '2027-03-03T10:00:00', { title: 'hold: gym' });
  await put('board', '2027-03-04T10:00:00', { title: 'Board', categories: ['board'] });
  await put('lunch', '2027-03-05T10:00:00', { title: 'Lunch', busy: 'free' });
});
afterAll(() => server.close());

const put = (name: string, start: string, core: Partial<Core>) => putAll([{ name, start, core }]);

async function putAll(events: { name: string; start: string; core: Partial<Core> }[]) {
  const items = events.map(({ name, start, core }) => ({
    ref: name,
    uid: name,
    version: '1',
    provenance: 'foreign' as const,
    body: {
      kind: 'single' as const,
      when: { kind: 'zoned' as const, start, zone: 'Europe/London', duration: { seconds: 3600 } },
      core: { busy: 'busy' as const, private: false, self: 'none' as const, kind: 'default' as const, ...core },
    },
  }));
  const calendarId = owned.calendarId as CalendarId;
  const owner = { calendarId, userId: person.userId, calendarZone: 'UTC', ownerZone: 'Europe/London' };
  await inTransaction(server.app.db, (tx) => applyChanges(tx, owner, { items, gone: [] }, server.app.clock.nowMs()));
}

const check = (start_time: string, end_time: string, more: { rank?: '1' | '2' | '4'; user_id?: string } = {}) =>
  person.as(calendarContract).checkAvailability({ query: { start_time, end_time, ...more } });
const workday = (day: string, rank?: '1' | '2' | '4') =>
  check(`${day}T09:00:00Z`, `${day}T17:00:00Z`, rank === undefined ? {} : { rank });

it('a busy event is a conflict, and the owner of its calendar sees the title', async () => {
  expect(await workday('2027-03-02')).toEqual({
    available: false,
    conflicts: [
      {
        event_ref: expect.any(String),
        calendar_id: owned.calendarId,
        start: '2027-03-02T10:00:00.000Z',
        end: '2027-03-02T11:00:00.000Z',
        class: 'busy',
        rank: 1,
        title: 'Meeting',
      },
    ],
    priority_conflicts: [],
    truncated: false,
  });
});

it('a tentative hold with a lower rank than the request is no conflict; the same or a higher rank is', async () => {
  expect(await workday('2027-03-03')).toMatchObject({
    available: true,
    conflicts: [],
    priority_conflicts: [{ class: 'soft', rank: 4, title: 'hold: gym' }],
  });
  expect(await workday('2027-03-03', '4')).toMatchObject({ available: false, conflicts: [{ rank: 4 }] });
  expect(await workday('2027-03-04')).toMatchObject({ available: false, conflicts: [{ rank: 2 }] });
  expect(await workday('2027-03-04', '1')).toMatchObject({ available: true, priority_conflicts: [{ rank: 2 }] });
});

it('a free event is no conflict, and no time is available outside the open hours', async () => {
  const nothing = { conflicts: [], priority_conflicts: [], truncated: false };
  expect(await workday('2027-03-05')).toEqual({ available: true, ...nothing });
  expect(await check('2027-03-05T16:30:00Z', '2027-03-05T17:30:00Z')).toEqual({ available: false, ...nothing });
  expect(await workday('2027-03-06')).toEqual({ available: false, ...nothing });
});

it('a list of conflicts says that there are more than 100', async () => {
  const at = (minute: number) => `2027-03-08T09:${`${minute}`.padStart(2, '0')}:00`;
  const meetings = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ name: `many${from + n}`, start: at(n % 60), core: {} }));
  await putAll(meetings(0, 100));
  const full = await workday('2027-03-08');
  expect(full).toMatchObject({ available: false, truncated: false });
  expect(full.conflicts).toHaveLength(100);
  await putAll(meetings(100, 101));
  const cut = await workday('2027-03-08');
  expect(cut).toMatchObject({ truncated: true, priority_conflicts: [] });
  expect(cut.conflicts).toHaveLength(100);
});

it('an event after any number of holds of a lower rank is a conflict', async () => {
  const holds = Array.from({ length: 201 }, (_, n) => ({
    name: `hold${n}`,
    start: '2027-03-09T10:00:00',
    core: { title: 'hold: gym' },
  }));
  await putAll(holds);
  expect(await workday('2027-03-09')).toMatchObject({ available: true, conflicts: [], truncated: true });
  await put('after-holds', '2027-03-09T15:00:00', { title: 'Meeting' });
  const found = await workday('2027-03-09');
  expect(found).toMatchObject({ available: false, conflicts: [{ title: 'Meeting' }], truncated: true });
  expect(found.priority_conflicts).toHaveLength(100);
});

it('an availability check of another person or of a reversed range is refused', async () => {
  const day = ['2027-03-05T09:00:00Z', '2027-03-05T17:00:00Z'] as const;
  expect(await check(...day, { user_id: person.userId })).toMatchObject({ available: true });
  await expect(check(...day, { user_id: randomUUID() })).rejects.toMatchObject({ status: 403 });
  await expect(check(day[1], day[0])).rejects.toMatchObject({ status: 400, code: 'BAD_TIME' });
});
