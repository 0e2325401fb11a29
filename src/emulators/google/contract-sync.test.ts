import { beforeEach, describe, expect, it } from 'vitest';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';

/** Google's documented lists and tokens, each row with its source. */

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
  recurringEventId?: string;
  [name: string]: unknown;
}
interface Events {
  items: Event[];
  nextPageToken?: string;
  nextSyncToken?: string;
  [name: string]: unknown;
}

const list = (query: Record<string, string> | [string, string][] = {}) =>
  api<Events>('GET', `/calendars/primary/events?${new URLSearchParams(query).toString()}`);
const put = (...events: NonNullable<NonNullable<Parameters<Google['control']['seed']>[0]['calendars']>[0]['events']>) =>
  google.control.seed({ account: ADA, calendars: [{ events }] });
const user = (command: object) => google.control.act({ account: ADA, ...command } as never);
const WEEKLY = { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'], start: '2027-03-08T09:00', summary: 'Weekly' };

/** Titles in a row, for lists come in no order. */
const titles = (events: Event[]) => events.map(({ summary }) => String(summary)).sort();
const states = (events: Event[]) => events.map(({ status, summary }) => `${status} ${String(summary)}`).sort();

/** All pages of a list; the sync token at its end. */
async function drain(query: Record<string, string> = {}) {
  const items: Event[] = [];
  let page: Events | null = null;
  let pages = 0;
  do {
    const token: Record<string, string> = page?.nextPageToken ? { pageToken: page.nextPageToken } : {};
    ({ body: page } = await list({ ...query, ...token }));
    items.push(...page.items);
    pages += 1;
  } while (page.nextPageToken);
  return { items, pages, syncToken: page.nextSyncToken! };
}

describe('full list (Events: list)', () => {
  it('a full list is paged, and only its last page has a sync token', async () => {
    await put(...[1, 2, 3, 4, 5].map((n) => ({ summary: `e${n}`, start: `2027-03-0${n}T09:00` })));
    const first = (await list({ maxResults: '2' })).body;
    expect(first.items).toHaveLength(2);
    expect([first.nextPageToken, first.nextSyncToken]).toEqual([expect.any(String), undefined]);
    const { items, pages, syncToken } = await drain({ maxResults: '2' });
    expect([new Set(items.map(({ summary }) => summary)).size, pages]).toEqual([5, 3]);
    expect(syncToken).toEqual(expect.any(String));
  });

  it('a page has 250 events by default and at most 2,500', async () => {
    await google.control.seed({ account: ADA, calendars: [{ generate: { count: 2_600, fromDay: '2027-01-04' } }] });
    expect((await list()).body.items).toHaveLength(250);
    expect((await list({ maxResults: '5000' })).body.items).toHaveLength(2_500);
    expect(await list({ maxResults: '0' })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('a list has no order: an exception may come pages before its master', async () => {
    const isBefore: boolean[] = [];
    for (let i = 0; i < 12; i += 1) {
      await put({ ...WEEKLY, summary: `s${i}`, instances: { '2027-03-15T09:00': { start: '2027-03-16T11:00' } } });
    }
    const { items } = await drain({ maxResults: '1' });
    for (const [at, { recurringEventId }] of items.entries()) {
      if (recurringEventId) isBefore.push(items.findIndex(({ id }) => id === recurringEventId) > at);
    }
    expect(isBefore).toHaveLength(12);
    expect(new Set(isBefore)).toEqual(new Set([true, false]));
  });

  it('a list has masters, exceptions and cancelled occurrences, but no deleted event (Events: list, showDeleted)', async () => {
    await put(
      {
        ...WEEKLY,
        instances: { '2027-03-15T09:00': null, '2027-03-22T09:00': { summary: 'Moved', start: '2027-03-23T10:00' } },
      },
      { summary: 'gone', start: '2027-03-01T09:00' },
    );
    await user({ do: 'delete', pick: 'gone' });
    const { items } = await drain();
    expect(states(items)).toEqual(['cancelled undefined', 'confirmed Moved', 'confirmed Weekly']);
    expect((await drain({ showDeleted: 'true' })).items).toHaveLength(4);
  });

  it('a cancelled event guarantees only its id, and an occurrence also its series and original start (Events)', async () => {
    await put({ ...WEEKLY, instances: { '2027-03-15T09:00': null } }, { summary: 'gone', start: '2027-03-01T09:00' });
    await user({ do: 'delete', pick: 'gone' });
    const { items } = await drain({ showDeleted: 'true' });
    const cancelled = items.filter(({ status }) => status === 'cancelled').map((item) => Object.keys(item).sort());
    expect(cancelled.sort((a, b) => a.length - b.length)).toEqual([
      ['etag', 'id', 'kind', 'status'],
      ['etag', 'id', 'kind', 'originalStartTime', 'recurringEventId', 'status'],
    ]);
  });

  it('singleEvents expands a series into its instances (Events: list, singleEvents)', async () => {
    await put({
      ...WEEKLY,
      instances: { '2027-03-15T09:00': null, '2027-03-22T09:00': { start: '2027-03-23T10:00' } },
    });
    const { body } = await list({ singleEvents: 'true', orderBy: 'startTime' });
    expect(body.items.map(({ start }) => (start as { dateTime: string }).dateTime)).toEqual([
      '2027-03-08T09:00:00+01:00',
      '2027-03-23T10:00:00+01:00',
      '2027-03-29T09:00:00+02:00',
    ]);
    expect(body.items[0]!.id).toMatch(/_20270308T080000Z$/);
    expect(body.items[0]).not.toHaveProperty('recurrence');
  });

  it('orderBy=startTime is refused without singleEvents (Events: list, orderBy)', async () => {
    expect(await list({ orderBy: 'startTime' })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('timeMin excludes events that end at it, timeMax events that start at it (Events: list, timeMin, timeMax)', async () => {
    await put(
      ...[9, 10, 11].map((hour) => ({
        summary: `at ${hour}`,
        start: `2027-03-01T${String(hour).padStart(2, '0')}:00`,
      })),
    );
    const bounds = { timeMin: '2027-03-01T10:00:00+01:00', timeMax: '2027-03-01T11:00:00+01:00' };
    expect((await list(bounds)).body.items.map(({ summary }) => summary)).toEqual(['at 10']);
    expect(await list({ timeMin: '2027-03-01T10:00:00' })).toMatchObject({ status: 400 });
  });

  it('a search by private properties matches all of them exactly (Extended properties)', async () => {
    await put(
      { summary: 'both', start: '2027-03-01', extendedProperties: { private: { a: '1', b: '2' } } },
      { summary: 'one', start: '2027-03-01', extendedProperties: { private: { a: '1' } } },
    );
    const found = (...pairs: string[]) =>
      list(pairs.map((pair): [string, string] => ['privateExtendedProperty', pair])).then(({ body }) =>
        titles(body.items),
      );
    expect(await found('a=1')).toEqual(['both', 'one']);
    expect(await found('a=1', 'b=2')).toEqual(['both']);
    expect(await found('a=')).toEqual([]);
  });

  it('a partial response has only the requested fields, and invalid fields are refused (Performance tips)', async () => {
    await put({ summary: 'a', start: '2027-03-01T09:00' });
    const { body } = await list({ fields: 'items(id,start/dateTime),nextPageToken' });
    expect(body).toEqual({ items: [{ id: expect.any(String), start: { dateTime: '2027-03-01T09:00:00+01:00' } }] });
    expect(await list({ fields: 'items(id' })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('maxAttendees keeps the attendee who owns the calendar (Events: list, maxAttendees)', async () => {
    const attendees = ['bob@example.com', ADA, 'cem@example.com'].map((email) => ({ email }));
    await put({ summary: 'a', start: '2027-03-01T09:00', attendees });
    const { body } = await list({ maxAttendees: '1' });
    expect(body.items[0]).toMatchObject({ attendeesOmitted: true, attendees: [{ email: ADA, self: true }] });
    expect((await list()).body.items[0]!.attendees).toHaveLength(3);
  });

  it('times are given in the zone of the calendar, or in the requested one (Events: list, timeZone)', async () => {
    await put({ summary: 'a', start: '2027-03-01T09:00' });
    const starts = async (query: Record<string, string>) => (await list(query)).body.items.map(({ start }) => start);
    expect(await starts({})).toEqual([{ dateTime: '2027-03-01T09:00:00+01:00', timeZone: 'Europe/Berlin' }]);
    expect(await starts({ timeZone: 'America/New_York' })).toEqual([
      { dateTime: '2027-03-01T03:00:00-05:00', timeZone: 'Europe/Berlin' },
    ]);
  });
});

describe('incremental list (Synchronize resources efficiently)', () => {
  it('an incremental list has each changed event once, deleted ones included', async () => {
    await put({ summary: 'a', start: '2027-03-01T09:00' }, { summary: 'b', start: '2027-03-02T09:00' });
    const { syncToken } = await drain();
    expect((await list({ syncToken })).body.items).toEqual([]);
    await user({ do: 'edit', pick: 'a', patch: { summary: 'A' } });
    await user({ do: 'edit', pick: 'A', patch: { location: 'Here' } });
    await user({ do: 'delete', pick: 'b' });
    const next = await drain({ syncToken });
    expect(states(next.items)).toEqual(['cancelled undefined', 'confirmed A']);
    expect((await list({ syncToken: next.syncToken })).body.items).toEqual([]);
    expect((await list({ syncToken })).body.items).toHaveLength(2);
  });

  it('an incremental list is paged and misses no change made between its pages', async () => {
    const { syncToken } = await drain({ maxResults: '1' });
    await put(...[1, 2, 3].map((n) => ({ summary: `e${n}`, start: `2027-03-0${n}T09:00` })));
    const first = (await list({ maxResults: '1', syncToken })).body;
    await put({ summary: 'late', start: '2027-03-09T09:00' });
    const seen = [...first.items];
    let page = first;
    while (page.nextPageToken) {
      page = (await list({ maxResults: '1', syncToken, pageToken: page.nextPageToken })).body;
      seen.push(...page.items);
    }
    page = (await list({ maxResults: '1', syncToken: page.nextSyncToken! })).body;
    expect(titles([...seen, ...page.items])).toEqual(['e1', 'e2', 'e3', 'late']);
  });

  it('a deleted series is reported only by its cancelled master', async () => {
    await put({ ...WEEKLY, instances: { '2027-03-15T09:00': { summary: 'Moved' } } });
    const { syncToken } = await drain();
    await user({ do: 'delete', pick: 'Weekly' });
    const { items } = await drain({ syncToken });
    expect(items).toEqual([expect.objectContaining({ status: 'cancelled' })]);
    expect(items[0]).not.toHaveProperty('recurringEventId');
  });

  it.each([
    ['iCalUID', 'x'],
    ['orderBy', 'updated'],
    ['privateExtendedProperty', 'a=b'],
    ['q', 'x'],
    ['sharedExtendedProperty', 'a=b'],
    ['timeMin', '2027-01-01T00:00:00Z'],
    ['timeMax', '2027-01-01T00:00:00Z'],
    ['updatedMin', '2027-01-01T00:00:00Z'],
    ['showDeleted', 'false'],
  ])('%s is refused together with a sync token (Events: list, syncToken)', async (name, value) => {
    const { syncToken } = await drain();
    expect(await list({ syncToken, [name]: value })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('a sync token is refused with parameters other than those of its list', async () => {
    const { syncToken } = await drain({ maxResults: '5' });
    expect(await list({ syncToken, maxResults: '6' })).toMatchObject({ status: 400, reason: 'invalid' });
    expect(await list({ syncToken, maxResults: '5', singleEvents: 'true' })).toMatchObject({ status: 400 });
    expect((await list({ syncToken, maxResults: '5' })).status).toBe(200);
  });

  it('an unknown sync token or page token is refused', async () => {
    expect(await list({ syncToken: 'nonsense' })).toMatchObject({ status: 400, reason: 'invalid' });
    expect(await list({ pageToken: 'nonsense' })).toMatchObject({ status: 400, reason: 'invalid' });
  });

  it('an incremental list also reports events outside the bounds of its first list', async () => {
    const { syncToken } = await drain({ timeMin: '2027-03-01T00:00:00Z', timeMax: '2027-04-01T00:00:00Z' });
    await put({ summary: 'far', start: '2029-01-01T09:00' });
    expect((await list({ syncToken })).body.items).toMatchObject([{ summary: 'far' }]);
  });

  it.each([
    ['storage was migrated', { do: 'expire-sync-tokens' }],
    ['access changed', { do: 'set-role', role: 'owner' }],
  ])('a sync token ends with 410 fullSyncRequired after %s (Handle API errors)', async (_, command) => {
    const { syncToken } = await drain();
    await user(command);
    const { status, body } = await list({ syncToken });
    expect(status).toBe(410);
    expect(body).toEqual({
      error: {
        errors: [
          {
            domain: 'calendar',
            reason: 'fullSyncRequired',
            message: 'Sync token is no longer valid, a full sync is required.',
            locationType: 'parameter',
            location: 'syncToken',
          },
        ],
        code: 410,
        message: 'Sync token is no longer valid, a full sync is required.',
      },
    });
  });

  it('a full list after an expired sync token has no deleted events', async () => {
    await put({ summary: 'a', start: '2027-03-01T09:00' });
    const { syncToken } = await drain();
    await user({ do: 'delete', pick: 'a' });
    await user({ do: 'expire-sync-tokens' });
    expect((await list({ syncToken })).status).toBe(410);
    expect((await drain()).items).toEqual([]);
  });

  it('a sync token expires after the configured number of days', async () => {
    await google.control.knobs({ syncTokenDays: 7 });
    const { syncToken } = await drain();
    google.clock.advance(7 * 86_400_000 + 1);
    api = (await google.signIn(ADA)).api;
    expect(await list({ syncToken })).toMatchObject({ status: 410, reason: 'fullSyncRequired' });
  });
});

describe('calendar list (CalendarList: list)', () => {
  interface List {
    items: { id: string; accessRole?: string; primary?: boolean; deleted?: boolean }[];
    nextSyncToken?: string;
    nextPageToken?: string;
  }
  const calendars = (query: Record<string, string> = {}) =>
    api<List>('GET', `/users/me/calendarList?${new URLSearchParams(query).toString()}`);
  const ids = ({ items }: List) => items.map(({ id }) => id).sort();

  beforeEach(async () => {
    await google.control.seed({
      account: ADA,
      calendars: [
        { id: 'team', summary: 'Team', owner: 'boss@example.com', role: 'writerWithoutPrivateAccess' },
        { id: 'holidays', owner: 'boss@example.com', role: 'reader', canPush: false },
        { id: 'mine', summary: 'Mine' },
      ],
    });
  });

  it('a calendar list names each role and owner, and the primary calendar', async () => {
    const { body } = await calendars();
    expect(body.items).toMatchObject([
      { id: ADA, accessRole: 'owner', primary: true, timeZone: 'Europe/Berlin' },
      { id: 'holidays', accessRole: 'reader', dataOwner: 'boss@example.com' },
      { id: 'mine', accessRole: 'owner' },
      { id: 'team', accessRole: 'writerWithoutPrivateAccess', summary: 'Team' },
    ]);
  });

  it('a calendar list is paged and can be filtered by role', async () => {
    const first = (await calendars({ maxResults: '3' })).body;
    expect(first.items).toHaveLength(3);
    const last = (await calendars({ maxResults: '3', pageToken: first.nextPageToken! })).body;
    expect(ids(last)).toEqual(['team']);
    expect(last.nextSyncToken).toEqual(expect.any(String));
    expect(ids((await calendars({ minAccessRole: 'writer' })).body)).toEqual([ADA, 'mine']);
  });

  it('an incremental calendar list reports changed roles and removed calendars, and lists hidden ones on request', async () => {
    const { nextSyncToken: syncToken } = (await calendars()).body;
    await user({ do: 'unshare', calendar: 'team' });
    await user({ do: 'set-role', calendar: 'holidays', role: 'freeBusyReader' });
    const { body } = await calendars({ syncToken: syncToken! });
    expect(body.items).toMatchObject([
      { id: 'holidays', accessRole: 'freeBusyReader' },
      { id: 'team', deleted: true },
    ]);
    expect(await calendars({ syncToken: syncToken!, minAccessRole: 'reader' })).toMatchObject({ status: 400 });
    await user({ do: 'hide', calendar: 'mine', hidden: true });
    expect(ids((await calendars()).body)).not.toContain('mine');
    expect(ids((await calendars({ showHidden: 'true', showDeleted: 'true' })).body)).toEqual([
      ADA,
      'holidays',
      'mine',
      'team',
    ]);
  });

  it('an unshared calendar answers 404 (Handle API errors, 404)', async () => {
    await user({ do: 'unshare', calendar: 'team' });
    expect(await api('GET', '/calendars/team/events')).toMatchObject({ status: 404, reason: 'notFound' });
    expect(await api('GET', '/users/me/calendarList/team')).toMatchObject({ status: 404 });
  });

  it('a secondary calendar can be created and deleted (Calendars: insert, delete)', async () => {
    api = (await google.signIn(ADA, 'https://www.googleapis.com/auth/calendar')).api;
    const { body } = await api<{ id: string }>('POST', '/calendars', { summary: 'Blocks' });
    expect(body).toMatchObject({ summary: 'Blocks', timeZone: 'Europe/Berlin' });
    const path = `/calendars/${encodeURIComponent(body.id)}`;
    expect((await api('GET', path)).body).toMatchObject({ id: body.id });
    expect((await api('DELETE', path)).status).toBe(204);
    expect((await api('GET', path)).status).toBe(404);
    expect((await api('DELETE', '/calendars/primary')).status).toBe(400);
  });
});
