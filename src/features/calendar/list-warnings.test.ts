import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { calendarContract } from '#features/calendar/contract.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import type { EventBody, Item } from '#kernel/event.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { applyChanges } from './apply-changes.ts';

let server: TestApp;
let person: TestUser;
let owned: OwnedAccount;
let people = 0;

beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());
beforeEach(async () => {
  people += 1;
  person = await signUpUser(server, `warned${people}@example.org`);
  owned = await insertOwnAccount(server, person);
});

const core = { busy: 'busy', private: false, self: 'none', kind: 'default' } as const;
const at = (start: string, title: string, busy: 'busy' | 'free' = 'busy'): EventBody => ({
  kind: 'single',
  when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 3600 } },
  core: { ...core, busy, title },
});
const weekly = (start: string, title: string): EventBody => ({
  kind: 'series',
  when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 3600 } },
  core: { ...core, title },
  rules: ['FREQ=WEEKLY'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
});
/** An event whose rule cannot be read. */
const inPart = (start: string, title: string): EventBody => {
  const body = at(start, title);
  if (body.kind !== 'single') return expect.fail(body.kind);
  const name = `${start.replaceAll(/[-:]/g, '')}Z`;
  return {
    kind: 'instances',
    of: '',
    from: -8.64e15,
    to: 8.64e15,
    list: { [name]: { when: body.when, core: body.core } },
  };
};
const item = (ref: string, body: EventBody, more: Partial<Item> = {}): Item => ({
  ref,
  uid: ref,
  version: JSON.stringify(body),
  provenance: 'foreign',
  body,
  ...more,
});
const unknownZone = warning('zone-unknown', { zone: 'Mars/Olympus' });

async function store(...items: Item[]) {
  const { db, clock } = server.app;
  const calendar = {
    calendarId: owned.calendarId as CalendarId,
    userId: person.userId,
    calendarZone: 'UTC',
    ownerZone: 'UTC',
  };
  await inTransaction(db, (tx) => applyChanges(tx, calendar, { items, gone: [] }, clock.nowMs()));
}
const list = () => person.as(calendarContract).listWarnings({ params: { calendarId: owned.calendarId } });
const row = async () =>
  (await person.as(calendarContract).listCalendars()).calendars.find(({ id }) => id === owned.calendarId);

/** On a day from now. */
const dayAt = (days: number, time: string) => {
  const day = Temporal.Instant.fromEpochMilliseconds(server.app.clock.nowMs())
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .add({ days });
  return `${day.toString()}T${time}`;
};

it('warnings name their event, when it is, and what they mean for busy time', async () => {
  const tomorrow = dayAt(1, '09:00:00');
  await store(
    item('plain', at(tomorrow, 'Plain')),
    item('zone', at(dayAt(2, '09:00:00'), 'Call from Mars'), {
      warnings: [unknownZone, warning('guests-skipped', { number: 3 })],
    }),
    item('free', at(dayAt(3, '09:00:00'), 'Party', 'free'), {
      warnings: [warning('end-before-start', {})],
    }),
    item('known', at(tomorrow, 'Dentist')),
  );
  await store(
    item('known', { kind: 'withheld', reason: warning('cut-off', {}) }),
    item(
      'rule',
      { ...inPart(tomorrow, 'Review') },
      { warnings: [warning('rule-unreadable', { source: 'RRULE:FREQ=NEVER' })] },
    ),
    item('nothing', { kind: 'withheld', reason: warning('start-missing', {}) }),
  );
  const { events, more, file } = await list();
  const told = events.map(({ title, start_time, effect, notes }) => [
    title,
    start_time === null ? null : start_time.slice(0, 10),
    effect,
    notes.map(({ code }) => code),
  ]);
  expect(told).toHaveLength(5);
  expect(told).toEqual(
    expect.arrayContaining([
      ['Dentist', tomorrow.slice(0, 10), 'kept', ['cut-off']],
      ['Review', tomorrow.slice(0, 10), 'blocks', ['rule-unreadable']],
      [null, null, 'none', ['start-missing']],
      ['Call from Mars', dayAt(2, '').slice(0, 10), 'blocks', ['zone-unknown', 'guests-skipped']],
      ['Party', dayAt(3, '').slice(0, 10), 'none', ['end-before-start']],
    ]),
  );
  // events of which times are unknown come first
  expect(told.slice(4).map(([title]) => title)).toEqual(['Party']);
  expect({ more, file }).toEqual({ more: 0, file: [] });
  expect(await row()).toMatchObject({ unread: 4, warnings: 5 });
});

it('an event whose rule cannot be read blocks its start, which availability and the explanation name', async () => {
  const start = dayAt(2, '09:00:00');
  const far = dayAt(1_500, '09:00:00');
  const warnings = [warning('rule-unreadable', { source: 'RRULE:FREQ=NEVER' })];
  await store(item('part', inPart(start, 'Review'), { warnings }), item('far', inPart(far, 'Far'), { warnings }));
  const api = person.as(calendarContract);
  const query = { start_time: `${start}Z`, end_time: `${dayAt(2, '09:30:00')}Z` };
  const found = await api.checkAvailability({ query });
  expect(found).toMatchObject({ available: false, conflicts: [{ title: 'Review' }] });
  expect(await api.explainBusy({ query: { at: `${start}Z` } })).toMatchObject({
    busy: true,
    events: [{ title: 'Review', class: 'busy' }],
  });
  const { events } = await api.listEvents({
    query: { from: `${dayAt(1, '00:00:00')}Z`, to: `${dayAt(8, '00:00:00')}Z` },
  });
  expect(events).toMatchObject([
    { title: 'Review', read_in_part: true, editable: false, not_editable_reason: 'unreadable' },
  ]);
  // beyond the window of series
  const later = { start_time: `${far}Z`, end_time: `${dayAt(1_500, '09:30:00')}Z` };
  expect(await api.checkAvailability({ query: later })).toMatchObject({ available: false });
  expect(await row()).toMatchObject({ unread: 2, warnings: 2 });
});

it('no event of a calendar that is left out of availability is said to block', async () => {
  await store(item('zone', at(dayAt(2, '09:00:00'), 'Call'), { warnings: [unknownZone] }));
  const change = { params: { calendarId: owned.calendarId }, body: { includeInUnified: false } };
  await person.as(connectionsContract).changeCalendar(change);
  expect((await list()).events[0]).toMatchObject({ title: 'Call', effect: 'none' });
});

it('of many warnings a hundred are listed, and the rest is counted', async () => {
  const body = at(dayAt(2, '09:00:00'), 'Call');
  await store(...Array.from({ length: 130 }, (_, n) => item(`many${n}`, body, { warnings: [unknownZone] })));
  const { events, more } = await list();
  expect([events.length, more]).toEqual([100, 30]);
  expect((await row())?.warnings).toBe(130);
});

it('an event whose zone is unknown says so itself, another does not', async () => {
  await store(
    item('zone', at(dayAt(2, '09:00:00'), 'Call'), { warnings: [unknownZone] }),
    item('people', at(dayAt(2, '11:00:00'), 'Party'), { warnings: [warning('guests-skipped', { number: 3 })] }),
    item('weekly', weekly(dayAt(2, '13:00:00'), 'Weekly'), {
      warnings: [warning('zone-taken-for-offset', { zone: 'Own', used: 'Etc/GMT-2' })],
    }),
  );
  const events = async (from: number) => {
    const query = { from: `${dayAt(from, '00:00:00')}Z`, to: `${dayAt(from + 7, '00:00:00')}Z` };
    const found = await person.as(calendarContract).listEvents({ query });
    return Object.fromEntries(found.events.map(({ title, zone_warning }) => [title, zone_warning]));
  };
  expect(await events(1)).toEqual({
    Call: { name: 'Mars/Olympus', used: null },
    Party: undefined,
    Weekly: { name: 'Own', used: 'UTC+2' },
  });
  // far from today, where instances are expanded for the screen
  expect((await events(2_000)).Weekly).toEqual({ name: 'Own', used: 'UTC+2' });
});
