import { beforeEach, describe, expect, it } from 'vitest';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import type { SeedEvent } from './seed.ts';

/** Google's documented writes of events, each row with its source. */

type Google = ReturnType<typeof emulateGoogle>;
type Api = Awaited<ReturnType<Google['signIn']>>['api'];

let google: Google;
let api: Api;
const ADA = 'ada@example.com';

beforeEach(async () => {
  google = emulateGoogle();
  await google.control.seed({ account: ADA, name: 'Ada', timeZone: 'Europe/Berlin' });
  api = (await google.signIn(ADA)).api;
});

interface Event {
  id: string;
  etag: string;
  status: string;
  sequence: number;
  updated: string;
  [name: string]: unknown;
}
const EVENTS = '/calendars/primary/events';
const at = (day: string, from = '09:00', to = '10:00') => ({
  start: { dateTime: `${day}T${from}:00`, timeZone: 'Europe/Berlin' },
  end: { dateTime: `${day}T${to}:00`, timeZone: 'Europe/Berlin' },
});
const SINGLE = { summary: 'Talk', ...at('2027-03-08') };
const SERIES = { summary: 'Weekly', ...at('2027-03-08'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] };
const insert = (body: unknown) => api<Event>('POST', `${EVENTS}?sendUpdates=none`, body);
const get = (id: string) => api<Event>('GET', `${EVENTS}/${id}`);
const patch = (id: string, body: unknown, headers = {}) => api<Event>('PATCH', `${EVENTS}/${id}`, body, headers);
const put = (id: string, body: unknown) => api<Event>('PUT', `${EVENTS}/${id}`, body);
const remove = (id: string, headers = {}) => api('DELETE', `${EVENTS}/${id}`, undefined, headers);
const changes = async (syncToken: string) =>
  (await api<{ items: Event[] }>('GET', `${EVENTS}?syncToken=${syncToken}`)).body.items;
const token = async () => (await api<{ nextSyncToken: string }>('GET', EVENTS)).body.nextSyncToken;
const user = (command: object) => google.control.act({ account: ADA, ...command } as never);
const seed = (...events: SeedEvent[]) => google.control.seed({ account: ADA, calendars: [{ events }] });

describe('inserting (Events: insert)', () => {
  it('an inserted event gets defaults for absent fields', async () => {
    const { status, body } = await insert(SINGLE);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      summary: 'Talk',
      eventType: 'default',
      sequence: 0,
      iCalUID: `${body.id}@google.com`,
      organizer: { email: ADA, self: true },
      creator: { email: ADA, self: true },
      reminders: { useDefault: true },
      start: { dateTime: '2027-03-08T09:00:00+01:00', timeZone: 'Europe/Berlin' },
    });
    expect(body.etag).toMatch(/^"\d+"$/);
    expect((await get(body.id)).body).toEqual(body);
  });

  it("a client's event id must be 5 to 1,024 base32hex characters", async () => {
    for (const id of ['abcde', 'v0'.repeat(512)]) expect((await insert({ ...SINGLE, id })).body.id).toBe(id);
    for (const id of ['abcd', 'abcdw', 'ABCDE', 'abc-de', 'a'.repeat(1_025)]) {
      expect(await insert({ ...SINGLE, id })).toMatchObject({ status: 400, reason: 'invalid' });
    }
  });

  it('an insert takes an id or an iCalUID, not both', async () => {
    expect((await insert({ ...SINGLE, iCalUID: 'x@y' })).body.iCalUID).toBe('x@y');
    expect((await insert({ ...SINGLE, id: 'abcde', iCalUID: 'x@y' })).status).toBe(400);
  });

  it('an insert with a used or deleted id is refused (Handle API errors, 409)', async () => {
    await insert({ ...SINGLE, id: 'abcde' });
    const again = await insert({ ...SINGLE, id: 'abcde' });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({
      error: {
        errors: [{ domain: 'global', reason: 'duplicate', message: 'The requested identifier already exists.' }],
        code: 409,
        message: 'The requested identifier already exists.',
      },
    });
    await remove('abcde');
    expect(await insert({ ...SINGLE, id: 'abcde' })).toMatchObject({ status: 409, reason: 'duplicate' });
  });

  it('an event id may exist once per calendar', async () => {
    await google.control.seed({ account: ADA, calendars: [{ id: 'second' }] });
    await insert({ ...SINGLE, id: 'abcde' });
    expect((await api('POST', '/calendars/second/events', { ...SINGLE, id: 'abcde' })).status).toBe(200);
  });

  it.each([
    ['an empty range', { ...SINGLE, ...at('2027-03-08', '09:00', '09:00') }, 'timeRangeEmpty'],
    ['an end before the start', { ...SINGLE, ...at('2027-03-08', '09:00', '08:00') }, 'timeRangeEmpty'],
    ['an empty all-day range', { start: { date: '2027-03-08' }, end: { date: '2027-03-08' } }, 'timeRangeEmpty'],
    ['a date with a time', { start: { date: '2027-03-08' }, end: SINGLE.end }, 'invalid'],
    ['both in one', { ...SINGLE, start: { ...SINGLE.start, date: '2027-03-08' } }, 'invalid'],
    ['no end', { start: SINGLE.start }, 'required'],
    ['no start', { end: SINGLE.end }, 'required'],
    ['no zone and no offset', { ...SINGLE, start: { dateTime: '2027-03-08T09:00:00' } }, 'required'],
    ['an unknown zone', { ...SINGLE, start: { ...SINGLE.start, timeZone: 'Mars/Olympus' } }, 'invalid'],
    ['no such day', { start: { date: '2027-02-30' }, end: { date: '2027-03-08' } }, 'invalid'],
    ['a colour beyond 11', { ...SINGLE, colorId: '12' }, 'invalid'],
    ['an unknown transparency', { ...SINGLE, transparency: 'misty' }, 'invalid'],
    ['mail of its own making', { ...SINGLE, eventType: 'fromGmail' }, 'invalid'],
    ['an attendee without address', { ...SINGLE, attendees: [{ displayName: 'Bob' }] }, 'invalid'],
  ])('an insert with %s is refused (Events; Handle API errors, 400)', async (_, body, reason) => {
    expect(await insert(body)).toMatchObject({ status: 400, reason });
  });

  it('invalid JSON is refused with parseError (Handle API errors, 400)', async () => {
    expect(await insert('{"summary": ')).toMatchObject({ status: 400, reason: 'parseError' });
  });

  it('an out-of-office event is accepted on the primary calendar only (Events, eventType)', async () => {
    await google.control.seed({ account: ADA, calendars: [{ id: 'second' }] });
    const body = { ...SINGLE, eventType: 'outOfOffice' };
    expect((await insert(body)).body.eventType).toBe('outOfOffice');
    expect((await api('POST', '/calendars/second/events', body)).status).toBe(400);
  });

  it('extended properties lose keys that are too long, and long values are cut (Extended properties)', async () => {
    const { body } = await insert({
      ...SINGLE,
      extendedProperties: { private: { ['k'.repeat(44)]: 'v'.repeat(2_000), ['k'.repeat(45)]: 'x' } },
    });
    expect(body.extendedProperties).toEqual({ private: { ['k'.repeat(44)]: 'v'.repeat(1_024) } });
    const many = Object.fromEntries(Array.from({ length: 301 }, (_, i) => [`k${i}`, 'v']));
    expect((await insert({ ...SINGLE, extendedProperties: { private: many } })).status).toBe(400);
  });

  it('extended properties can be dropped silently when so configured', async () => {
    await google.control.knobs({ dropsExtendedProperties: true });
    const { body } = await insert({ ...SINGLE, extendedProperties: { private: { a: '1' } } });
    expect(body.extendedProperties).toBeUndefined();
  });

  it('every write accepts sendUpdates, and an unknown value is refused (Events: insert, patch, delete, sendUpdates)', async () => {
    const { id } = (await insert(SINGLE)).body;
    for (const mode of ['all', 'externalOnly', 'none']) {
      const path = `${EVENTS}/${id}?sendUpdates=${mode}`;
      expect((await api('PATCH', path, { attendees: [{ email: 'x@example.com' }] })).status).toBe(200);
    }
    const queries = (await google.control.ledger()).map(({ query }) => new URLSearchParams(query).get('sendUpdates'));
    expect(queries.slice(-3)).toEqual(['all', 'externalOnly', 'none']);
    const bad = '?sendUpdates=some';
    expect(await api('POST', EVENTS + bad, SINGLE)).toMatchObject({ status: 400, reason: 'invalid' });
    expect(await api('PATCH', `${EVENTS}/${id}${bad}`, {})).toMatchObject({ status: 400, reason: 'invalid' });
    expect(await api('DELETE', `${EVENTS}/${id}${bad}`)).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('an insert needs write access to the calendar (Handle API errors, 403)', async () => {
    await user({ do: 'set-role', role: 'reader' });
    expect(await insert(SINGLE)).toMatchObject({ status: 403, reason: 'requiredAccessLevel' });
    expect((await api('GET', EVENTS)).status).toBe(200);
  });
});

describe('series (Recurring events)', () => {
  it.each([
    ['no rule', ['nonsense']],
    ['DTSTART', ['DTSTART:20270308T090000Z', 'RRULE:FREQ=DAILY']],
    ['a rule that is none', ['RRULE:FREQ=SOMETIMES']],
    ['exclusions alone', ['EXDATE:20270308T080000Z']],
  ])('a recurrence with %s is refused (Events, recurrence)', async (_, recurrence) => {
    expect(await insert({ ...SERIES, recurrence })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('a timed series needs a time zone (Events, start.timeZone)', async () => {
    const start = { dateTime: '2027-03-08T09:00:00+01:00' };
    const end = { dateTime: '2027-03-08T10:00:00+01:00' };
    expect(await insert({ ...SERIES, start, end })).toMatchObject({ status: 400, reason: 'required' });
    expect((await insert({ ...SINGLE, start, end })).status).toBe(200);
  });

  it('an instance has an id of its own, and an excluded one answers 404 (Events: instances)', async () => {
    const { id } = (
      await insert({ ...SERIES, recurrence: [...SERIES.recurrence, 'EXDATE;TZID=Europe/Berlin:20270315T090000'] })
    ).body;
    const { body } = await api<{ items: Event[] }>('GET', `${EVENTS}/${id}/instances`);
    expect(body.items.map((event) => event.id)).toEqual([
      `${id}_20270308T080000Z`,
      `${id}_20270322T080000Z`,
      `${id}_20270329T070000Z`,
    ]);
    expect(body.items[0]).toMatchObject({
      recurringEventId: id,
      originalStartTime: { dateTime: '2027-03-08T09:00:00+01:00' },
    });
    expect((await get(`${id}_20270322T080000Z`)).status).toBe(200);
    expect((await get(`${id}_20270315T080000Z`)).status).toBe(404);
  });

  it('a changed instance becomes an exception of its series', async () => {
    const { id } = (await insert(SERIES)).body;
    const syncToken = await token();
    const moved = await patch(`${id}_20270315T080000Z`, at('2027-03-16', '11:00', '12:00'));
    expect(moved.body).toMatchObject({
      id: `${id}_20270315T080000Z`,
      recurringEventId: id,
      summary: 'Weekly',
      originalStartTime: { dateTime: '2027-03-15T09:00:00+01:00' },
      start: { dateTime: '2027-03-16T11:00:00+01:00' },
    });
    expect(await changes(syncToken)).toMatchObject([{ id: `${id}_20270315T080000Z` }]);
  });

  it('an instance is changed only over the version that was listed (Events: instances, patch; Version resources)', async () => {
    const { id } = (await insert(SERIES)).body;
    const bounds = 'timeMin=2027-03-15T08:00:00Z&timeMax=2027-03-15T08:00:01Z&showDeleted=true';
    const list = async () => (await api<{ items: Event[] }>('GET', `${EVENTS}/${id}/instances?${bounds}`)).body.items;
    const [before] = await list();
    expect(before!.id).toBe(`${id}_20270315T080000Z`);
    expect((await patch(before!.id, { summary: 'Special' }, { 'if-match': before!.etag })).status).toBe(200);
    const late = await patch(before!.id, { summary: 'Late' }, { 'if-match': before!.etag });
    expect(late).toMatchObject({ status: 412, reason: 'conditionNotMet' });
    const changed = (await get(before!.id)).body;
    expect((await remove(changed.id, { 'if-match': changed.etag })).status).toBe(204);
    expect((await patch(changed.id, { status: 'confirmed' })).body).toMatchObject({
      status: 'confirmed',
      id: changed.id,
    });
  });

  it('a deleted instance is cancelled without an EXDATE, and a second delete answers 410 (Handle API errors, 410)', async () => {
    const { id } = (await insert(SERIES)).body;
    const syncToken = await token();
    expect((await remove(`${id}_20270315T080000Z`)).status).toBe(204);
    expect(await remove(`${id}_20270315T080000Z`)).toMatchObject({ status: 410, reason: 'deleted' });
    expect(await changes(syncToken)).toMatchObject([{ status: 'cancelled', recurringEventId: id }]);
    expect((await get(id)).body.recurrence).toEqual(SERIES.recurrence);
  });

  it('an exception without an occurrence in the new rule is cancelled', async () => {
    const { id } = (await insert(SERIES)).body;
    await patch(`${id}_20270315T080000Z`, { summary: 'Special' });
    const syncToken = await token();
    await patch(id, { recurrence: [...SERIES.recurrence, 'EXDATE:20270315T080000Z'] });
    const list = await changes(syncToken);
    expect(list.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'confirmed']);
  });

  it('a change to "this and following events" splits the series in two', async () => {
    const { id } = (await insert(SERIES)).body;
    await user({ do: 'split', pick: id, at: '2027-03-22T09:00', patch: { summary: 'From now on' } });
    const { body } = await api<{ items: Event[] }>('GET', `${EVENTS}?singleEvents=true&orderBy=startTime`);
    expect(
      body.items.map(({ summary, start }) => [summary, (start as { dateTime: string }).dateTime.slice(0, 10)]),
    ).toEqual([
      ['Weekly', '2027-03-08'],
      ['Weekly', '2027-03-15'],
      ['From now on', '2027-03-22'],
      ['From now on', '2027-03-29'],
    ]);
    expect(new Set(body.items.map(({ iCalUID }) => iCalUID)).size).toBe(2);
  });

  it('an all-day instance is named by its date and lasts whole days', async () => {
    const body = {
      start: { date: '2027-03-27' },
      end: { date: '2027-03-29' },
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
    };
    const { id } = (await insert(body)).body;
    const { body: list } = await api<{ items: Event[] }>('GET', `${EVENTS}/${id}/instances`);
    expect(list.items.map((event) => [event.id, event.start, event.end])).toEqual([
      [`${id}_20270327`, { date: '2027-03-27' }, { date: '2027-03-29' }],
      [`${id}_20270403`, { date: '2027-04-03' }, { date: '2027-04-05' }],
    ]);
  });
});

describe('changing (Events: patch, update)', () => {
  it('a patch keeps absent fields, removes null ones and replaces arrays (Performance tips)', async () => {
    const { body } = await insert({
      ...SINGLE,
      location: 'Here',
      description: 'Long',
      extendedProperties: { private: { a: '1', b: '2' } },
      attendees: [{ email: 'x@example.com' }, { email: 'y@example.com' }],
    });
    const { body: patched } = await patch(body.id, {
      location: null,
      extendedProperties: { private: { b: null, c: '3' } },
      attendees: [{ email: 'z@example.com' }],
    });
    expect(patched).toMatchObject({
      summary: 'Talk',
      description: 'Long',
      extendedProperties: { private: { a: '1', c: '3' } },
      attendees: [{ email: 'z@example.com', responseStatus: 'needsAction' }],
    });
    expect(patched).not.toHaveProperty('location');
  });

  it('a timed event becomes all-day only when the patch clears its time', async () => {
    const { id } = (await insert(SINGLE)).body;
    const days = { start: { date: '2027-03-08' }, end: { date: '2027-03-09' } };
    expect((await patch(id, days)).status).toBe(400);
    const away = { dateTime: null, timeZone: null };
    expect((await patch(id, { start: { ...days.start, ...away }, end: { ...days.end, ...away } })).body).toMatchObject(
      days,
    );
  });

  it('an update removes absent fields', async () => {
    const { id } = (await insert({ ...SINGLE, location: 'Here' })).body;
    expect((await put(id, SINGLE)).body).not.toHaveProperty('location');
  });

  it('a changed time increases the sequence, and an older sequence is refused (Events, sequence)', async () => {
    const { id } = (await insert(SINGLE)).body;
    expect((await patch(id, { summary: 'Other' })).body.sequence).toBe(0);
    expect((await patch(id, at('2027-03-09'))).body.sequence).toBe(1);
    expect(await put(id, { ...SINGLE, sequence: 0 })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('a change of reminders gives a new etag but keeps updated (Events, updated)', async () => {
    const { body } = await insert(SINGLE);
    google.clock.advance(60_000);
    const reminded = (await patch(body.id, { reminders: { useDefault: false, overrides: [] } })).body;
    expect([reminded.etag === body.etag, reminded.updated === body.updated]).toEqual([false, true]);
    expect((await patch(body.id, { summary: 'New' })).body.updated).not.toBe(body.updated);
  });

  it('a write with a stale If-Match is refused with 412 (Version resources; Handle API errors, 412)', async () => {
    const { body } = await insert(SINGLE);
    const changed = (await patch(body.id, { summary: 'New' }, { 'if-match': body.etag })).body;
    const late = await patch(body.id, { summary: 'Newer' }, { 'if-match': body.etag });
    expect(late).toMatchObject({ status: 412, reason: 'conditionNotMet' });
    expect(late.body).toMatchObject({ error: { errors: [{ locationType: 'header', location: 'If-Match' }] } });
    expect((await remove(body.id, { 'if-match': body.etag })).status).toBe(412);
    expect((await remove(body.id, { 'if-match': changed.etag })).status).toBe(204);
  });

  it('a matching If-None-Match answers 304 (Version resources)', async () => {
    const { body } = await insert(SINGLE);
    const again = await api('GET', `${EVENTS}/${body.id}`, undefined, { 'if-none-match': body.etag });
    expect(again.status).toBe(304);
  });

  it('the event type cannot be changed (Events, eventType)', async () => {
    const { id } = (await insert(SINGLE)).body;
    expect((await patch(id, { eventType: 'focusTime' })).status).toBe(400);
  });

  it('shared properties can be changed only by the organizer (Handle API errors, forbiddenForNonOrganizer)', async () => {
    await seed({
      summary: 'Invited',
      start: '2027-03-08T09:00',
      organizer: { email: 'boss@example.com' },
      attendees: [{ email: 'boss@example.com', responseStatus: 'accepted' }, { email: ADA }],
    });
    const { items } = (await api<{ items: Event[] }>('GET', EVENTS)).body;
    const { id, attendees } = items[0] as Event & { attendees: { email: string }[] };
    expect(await patch(id, { summary: 'Mine' })).toMatchObject({ status: 403, reason: 'forbiddenForNonOrganizer' });
    expect(await put(id, SINGLE)).toMatchObject({ status: 403, reason: 'forbiddenForNonOrganizer' });
    const accepted = attendees.map((one) => (one.email === ADA ? { ...one, responseStatus: 'accepted' } : one));
    expect((await patch(id, { attendees: accepted, colorId: '3' })).status).toBe(200);
  });

  it('a list with attendeesOmitted changes the own answer and nobody else (Events, attendeesOmitted)', async () => {
    const boss = { email: 'boss@example.com', responseStatus: 'accepted' };
    await seed({
      summary: 'Invited',
      start: '2027-03-08T09:00',
      organizer: { email: boss.email },
      attendees: [boss, { email: ADA, optional: true }],
    });
    const { id } = (await api<{ items: Event[] }>('GET', EVENTS)).body.items[0] as Event;
    const own = { email: ADA, responseStatus: 'declined', comment: 'Away' };
    const { status, body } = await patch(id, { attendeesOmitted: true, attendees: [own] });
    expect([status, body.attendees]).toMatchObject([200, [boss, { ...own, optional: true, self: true }]]);
    expect(body).not.toHaveProperty('attendeesOmitted');
    const others = await patch(id, { attendeesOmitted: true, attendees: [{ ...boss, responseStatus: 'declined' }] });
    expect(others.body.attendees).toMatchObject([boss, own]);
  });
});

describe('deleting (Events: delete)', () => {
  it('a delete answers 204, then 410, and 404 for an unknown event (Handle API errors)', async () => {
    const { id } = (await insert(SINGLE)).body;
    expect((await remove(id)).status).toBe(204);
    expect(await remove(id)).toMatchObject({ status: 410, reason: 'deleted' });
    expect(await remove('never')).toMatchObject({ status: 404, reason: 'notFound' });
  });

  it('a deleted event stays readable as cancelled, and a patch can restore it', async () => {
    const { id } = (await insert({ ...SINGLE, id: 'abcde' })).body;
    await remove(id);
    expect((await get(id)).body).toMatchObject({ id, status: 'cancelled' });
    expect((await patch(id, { status: 'confirmed', summary: 'Back' })).body).toMatchObject({ id, summary: 'Back' });
  });
});

describe('import and move', () => {
  it('an import with a used iCalUID replaces the event (Events: import)', async () => {
    const first = await api<Event>('POST', `${EVENTS}/import`, { ...SINGLE, iCalUID: 'x@y' });
    const second = await api<Event>('POST', `${EVENTS}/import`, { ...SINGLE, summary: 'New', iCalUID: 'x@y' });
    expect(second.body).toMatchObject({ id: first.body.id, summary: 'New' });
    expect((await api('POST', `${EVENTS}/import`, SINGLE)).status).toBe(400);
  });

  it('a moved event keeps its id in the other calendar and is cancelled in the old one (Events: move)', async () => {
    await google.control.seed({ account: ADA, calendars: [{ id: 'second' }] });
    const { id } = (await insert(SINGLE)).body;
    const { body } = await api('POST', `${EVENTS}/${id}/move?destination=second`);
    expect(body).toMatchObject({ id, organizer: { email: 'second', self: true } });
    expect((await get(id)).body.status).toBe('cancelled');
  });
});

describe('visibility (Sharing and attendees)', () => {
  it.each([
    ['reader', 'private', false],
    ['writerWithoutPrivateAccess', 'private', false],
    ['writerWithoutPrivateAccess', 'default', true],
    ['writer', 'private', true],
    ['freeBusyReader', 'default', false],
  ])('a %s sees the details of a %s event: %s', async (role, visibility, shown) => {
    await seed({ summary: 'Secret', start: '2027-03-08T09:00', visibility });
    await user({ do: 'set-role', role });
    const { items } = (await api<{ items: Event[] }>('GET', EVENTS)).body;
    expect(items[0]!.summary).toBe(shown ? 'Secret' : undefined);
    expect(items[0]).toHaveProperty('start');
  });

  it('a free/busy token sees only when an event takes place (calendar.events.freebusy)', async () => {
    await seed({ summary: 'Secret', start: '2027-03-08T09:00' });
    const scope = 'https://www.googleapis.com/auth/calendar.events.freebusy';
    ({ api } = await google.signIn(ADA, scope));
    const { items } = (await api<{ items: Event[] }>('GET', EVENTS)).body;
    expect(items[0]).not.toHaveProperty('summary');
    expect(await insert(SINGLE)).toMatchObject({ status: 403, reason: 'insufficientPermissions' });
  });
});

describe('free/busy (Freebusy: query)', () => {
  const ask = (items: { id: string }[], more = {}) =>
    api<{ calendars: Record<string, { busy: unknown[]; errors?: { reason: string }[] }> }>('POST', '/freeBusy', {
      timeMin: '2027-03-08T00:00:00Z',
      timeMax: '2027-03-17T00:00:00Z',
      items,
      ...more,
    });

  beforeEach(async () => {
    ({ api } = await google.signIn(ADA, 'https://www.googleapis.com/auth/calendar.freebusy'));
  });

  it('a free/busy query merges busy times and omits free, declined and working-location events', async () => {
    await seed(
      { summary: 'a', start: '2027-03-08T09:00' },
      { summary: 'b', start: '2027-03-08T09:30' },
      { summary: 'weekly', start: '2027-03-01T12:00', recurrence: ['RRULE:FREQ=WEEKLY'] },
      { summary: 'free', start: '2027-03-09T09:00', transparency: 'transparent' },
      { summary: 'place', start: '2027-03-10', eventType: 'workingLocation' },
      { summary: 'declined', start: '2027-03-11T09:00', attendees: [{ email: ADA, responseStatus: 'declined' }] },
    );
    const { body } = await ask([{ id: 'primary' }]);
    expect(body.calendars.primary!.busy).toEqual([
      { start: '2027-03-08T08:00:00Z', end: '2027-03-08T09:30:00Z' },
      { start: '2027-03-08T11:00:00Z', end: '2027-03-08T12:00:00Z' },
      { start: '2027-03-15T11:00:00Z', end: '2027-03-15T12:00:00Z' },
    ]);
  });

  it('an unknown or surplus calendar is an error inside a free/busy response of 200', async () => {
    const { status, body } = await ask([{ id: 'primary' }, { id: 'nobody@example.com' }]);
    expect(status).toBe(200);
    expect(body.calendars['nobody@example.com']!.errors).toEqual([{ domain: 'global', reason: 'notFound' }]);
    const many = await ask(Array.from({ length: 51 }, (_, i) => ({ id: `c${i}` })));
    expect(many.body.calendars.c50!.errors![0]!.reason).toBe('tooManyCalendarsRequested');
  });

  it('a free/busy query with an empty range is refused', async () => {
    expect(await ask([], { timeMax: '2027-03-08T00:00:00Z' })).toMatchObject({ status: 400, reason: 'timeRangeEmpty' });
  });
});
