import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { availabilityContract } from '#features/availability/contract.ts';
import { defaultHours } from '#features/availability/rules/hours.ts';
import type { CalendarId, PolicyId } from '#kernel/ids.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from './contract.ts';
import { defaultSettings } from './rules/type-settings.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

/** Sends a body that the client's types would refuse. */
const send = ({ token }: TestUser, method: 'POST' | 'PUT', url: string, payload: object) =>
  server.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } });

let people = 0;
const newPerson = () => {
  people += 1;
  return signUpUser(server, `person${people}@example.org`);
};
const apiOf = (user: TestUser) => user.as(bookingContract);
type Api = ReturnType<typeof apiOf>;
const create = async (api: Api, title: string) =>
  (await api.createEventType({ body: { title, kind: 'one-on-one' } })).event_type;
const titles = async (api: Api) => (await api.listEventTypes()).event_types.map(({ title }) => title);

describe('event types', () => {
  test('an event type is created from a title, and has a URL once its person has a handle', async () => {
    const api = apiOf(await newPerson());
    expect(await create(api, 'Quick chat')).toMatchObject({ slug: 'quick-chat', url: null, version: 1 });
    await api.changeHandle({ body: { handle: 'quick-anna' } });
    const second = await create(api, 'Quick chat');
    expect(second).toMatchObject({ slug: 'quick-chat-2', settings: defaultSettings('one-on-one') });
    expect(second.url).toMatch(/\/quick-anna\/quick-chat-2$/);
  });

  test('texts of an event type lose signs that turn or hide text, and what nobody sees is refused', async () => {
    const api = apiOf(await newPerson());
    const turned = {
      title: 'Pay \u202egpj.exe',
      description: 'D \u202edesc',
      settings: {
        ...defaultSettings('one-on-one'),
        location: { kind: 'in-person' as const, address: 'Main\u{e0041} Street\u202e 1' },
        cancellation: { until_minutes: 0, text: 'No\u2066 refunds' },
        questions: [
          { id: 'q', label: 'T\u202eopic', kind: 'choice' as const, options: ['a', 'a\u00ad', 'b'], required: true },
        ],
      },
    };
    const plain = {
      title: 'Pay gpj.exe',
      description: 'D desc',
      settings: {
        location: { kind: 'in-person', address: 'Main Street 1' },
        cancellation: { until_minutes: 0, text: 'No refunds' },
        questions: [{ id: 'q', label: 'Topic', kind: 'choice', options: ['a', 'b'], required: true }],
      },
    };
    const { event_type: made } = await api.createEventType({ body: { ...turned, kind: 'one-on-one' } });
    expect(made).toMatchObject(plain);
    const body = { ...turned, version: 1, slug: made.slug, hidden: false, secret: false };
    const change = (more: object = {}) => api.changeEventType({ params: { id: made.id }, body: { ...body, ...more } });
    expect((await change()).event_type).toMatchObject({ ...plain, version: 1 });
    expect((await change({ title: 'Pay\u202e later' })).event_type).toMatchObject({ title: 'Pay later', version: 2 });
    await expect(create(api, '\u{e0041}\u00ad')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { title: 'Enter at least one visible character.' },
    });
  });

  test('event types of one owner have up to 1,000,000 characters together, and longer ones can become shorter', async () => {
    const person = await newPerson();
    const api = apiOf(person);
    const questions = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        id: `q${n}`,
        label: 'Which one?',
        kind: 'choice' as const,
        options: Array.from({ length: 9 }, (__, option) => `${option}${'x'.repeat(99)}`),
        required: false,
      }));
    const long = (count: number) => ({ ...defaultSettings('one-on-one'), questions: questions(count) });
    const make = (title: string, count: number) =>
      api.createEventType({ body: { title, kind: 'one-on-one', settings: long(count) } });
    const { event_type: first } = await make('First', 20);
    await sql`insert into booking.event_types (id, user_id, slug, title, kind, description, settings, position)
      select gen_random_uuid(), user_id, slug || n, title, kind, description, settings, position
      from booking.event_types cross join generate_series(1, 39) n where id = ${first.id}`.execute(server.app.db);
    await make('Fits', 20);
    const fill = async () => {
      for (let n = 0; n < 20; n += 1) await make(`Long ${n}`, 20);
    };
    await expect(fill()).rejects.toMatchObject({ status: 409, code: 'TOO_MANY' });
    await sql`update booking.event_types set description = repeat('d', 20000) where user_id = ${person.userId}`.execute(
      server.app.db,
    );
    const { title, slug, version } = first;
    const body = { title, slug, version, description: 'd', hidden: false, secret: false };
    const change = (count: number, seen: number) =>
      api.changeEventType({ params: { id: first.id }, body: { ...body, version: seen, settings: long(count) } });
    await change(5, version);
    await expect(change(6, version + 1)).rejects.toMatchObject({ status: 409, code: 'TOO_MANY' });
    await change(4, version + 1);
  });

  test('an event type is changed only from its current version', async () => {
    const api = apiOf(await newPerson());
    const { id, slug, settings } = await create(api, 'Intro');
    const body = { version: 1, title: 'Hello', slug, description: '', hidden: false, secret: false, settings };
    const longer = { ...settings, durations_minutes: [45, 15] };
    const changed = await api.changeEventType({ params: { id }, body: { ...body, settings: longer } });
    expect(changed.event_type).toMatchObject({ title: 'Hello', version: 2, settings: longer });
    await expect(api.changeEventType({ params: { id }, body })).rejects.toMatchObject({ code: 'STALE' });
    await api.switchEventType({ params: { id }, body: { paused: true } });
    const paused = (await api.readEventType({ params: { id } })).event_type;
    expect(paused).toMatchObject({ version: 3, settings: { ...longer, paused: true } });
  });

  test('an event type needs a slug that its person does not use yet', async () => {
    const api = apiOf(await newPerson());
    const [one, other] = [await create(api, 'One'), await create(api, 'Other')];
    const body = { version: 1, title: 'x', slug: one.slug, description: '', hidden: false, secret: false };
    await expect(
      api.changeEventType({ params: { id: other.id }, body: { ...body, settings: other.settings } }),
    ).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    await expect(api.createEventType({ body: { title: 'x', kind: 'group', slug: 'one' } })).rejects.toMatchObject({
      code: 'SLUG_TAKEN',
    });
  });

  test('an event type can be copied, reordered, deleted and restored', async () => {
    const api = apiOf(await newPerson());
    const [one] = [await create(api, 'One'), await create(api, 'Two')];
    const copy = (await api.duplicateEventType({ params: { id: one.id } })).event_type;
    expect(copy).toMatchObject({ title: 'One (copy)', hidden: true });
    expect(await titles(api)).toEqual(['One', 'One (copy)', 'Two']);
    await api.orderEventTypes({ body: { ids: [copy.id] } });
    expect(await titles(api)).toEqual(['One (copy)', 'One', 'Two']);
    await api.deleteEventType({ params: { id: one.id } });
    expect(await titles(api)).toEqual(['One (copy)', 'Two']);
    await create(api, 'One');
    await expect(api.restoreEventType({ params: { id: one.id } })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    await api.deleteEventType({ params: { id: copy.id } });
    await api.restoreEventType({ params: { id: copy.id } });
    expect(await titles(api)).toEqual(['One (copy)', 'Two', 'One']);
  });

  test('deleted event types are not written by later acts, and the hundred newest can be restored', async () => {
    const api = apiOf(await newPerson());
    const kept = await create(api, 'Kept');
    const deleted = await create(api, 'Gone 0');
    await api.deleteEventType({ params: { id: deleted.id } });
    const versionOf = async () =>
      (
        await sql<{ version: string }>`
          select xmin::text as version from booking.event_types where id = ${deleted.id}`.execute(server.app.db)
      ).rows[0]?.version;
    const before = await versionOf();
    const copy = (await api.duplicateEventType({ params: { id: kept.id } })).event_type;
    await api.orderEventTypes({ body: { ids: [copy.id, kept.id] } });
    expect(await versionOf()).toBe(before);
    const second = await create(api, 'Gone 1');
    await api.deleteEventType({ params: { id: second.id } });
    for (let n = 2; n <= 100; n += 1) {
      const one = await create(api, `Gone ${n}`);
      await api.deleteEventType({ params: { id: one.id } });
    }
    await expect(api.restoreEventType({ params: { id: deleted.id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await api.restoreEventType({ params: { id: second.id } });
    expect(await titles(api)).toEqual(['Kept (copy)', 'Kept', 'Gone 1']);
  });

  test('an event type with several hosts needs a team', async () => {
    const api = apiOf(await newPerson());
    for (const kind of ['collective', 'round-robin'] as const)
      await expect(api.createEventType({ body: { title: 'x', kind } })).rejects.toMatchObject({ code: 'NEEDS_TEAM' });
  });

  test('an event type that nobody could book is refused: calendars of others, extra seats, impossible meetings', async () => {
    const user = await newPerson();
    const [api, { calendarId }] = [apiOf(user), await insertOwnAccount(server, await newPerson())];
    const refusedFor = async (settings: object) => {
      const answer = await send(user, 'POST', '/api/event-types', { title: 'x', kind: 'one-on-one', settings });
      return [answer.statusCode, Object.keys(answer.json().detail.fields ?? {})];
    };
    for (const [settings, field] of [
      [{ target_calendar_id: calendarId }, 'settings.target_calendar_id'],
      [{ blocking_calendar_ids: [calendarId] }, 'settings.blocking_calendar_ids'],
      [{ seats: 2 }, 'settings.seats'],
      [{ location: { kind: 'google-meet' } }, 'settings.location'],
    ] as const)
      expect(await refusedFor(settings), field).toEqual([400, [field]]);
    for (const settings of [
      { durations_minutes: [] },
      { durations_minutes: [30, 30] },
      { redirect_url: 'http://example.org/' },
      { redirect_url: 'javascript:alert(1)' },
      { redirect_url: 'https://user:pass@example.org/' },
      { location: { kind: 'link', url: 'data:text/html,x' } },
      { frames: ['https://example.org/path'] },
      { window: { kind: 'fixed', from: '2027-03-09', to: '2027-03-08' } },
      { questions: [{ id: 'a', label: 'A', kind: 'choice', required: true }] },
      { questions: [{ id: 'a', label: 'A', kind: 'text', options: ['x'], required: true }] },
      { surprise: true },
    ])
      expect((await refusedFor(settings))[0], JSON.stringify(settings)).toBe(400);
    expect(await titles(api)).toEqual([]);
  });
});

describe('hours of an event type', () => {
  test('hours that an event type uses cannot be deleted, nor used by another person', async () => {
    const user = await newPerson();
    const [api, hours] = [apiOf(user), user.as(availabilityContract)];
    const saved = { name: 'Short', hours: defaultHours('Europe/Berlin'), note: '', apply: false };
    const policyId = (await hours.createPolicy({ body: saved })).policies[0]?.policy_id as PolicyId;
    const settings = { policy: { kind: 'policy', policyId } } as const;
    const made = (await api.createEventType({ body: { title: 'Coffee', kind: 'one-on-one', settings } })).event_type;
    const remove = () => hours.deletePolicy({ params: { policyId } });
    await expect(remove()).rejects.toMatchObject({ code: 'IN_USE', message: expect.stringContaining('Coffee') });
    const stranger = apiOf(await newPerson());
    await expect(
      stranger.createEventType({ body: { title: 'Theirs', kind: 'one-on-one', settings } }),
    ).rejects.toMatchObject({ status: 404 });
    await api.deleteEventType({ params: { id: made.id } });
    expect((await remove()).policies).toEqual([]);
  });
});

describe('handles', () => {
  test('a handle is suggested from the name of its person, and belongs to one person', async () => {
    const [anna, other] = [apiOf(await newPerson()), apiOf(await newPerson())];
    const { suggestion } = await anna.readHandle({});
    expect(suggestion).toMatch(/^person\d+$/);
    expect(await anna.changeHandle({ body: { handle: 'anna-lee' } })).toMatchObject({
      handle: 'anna-lee',
      suggestion: null,
      url: expect.stringMatching(/\/anna-lee$/),
    });
    for (const handle of ['anna-lee', 'annalee', 'anna-1ee'])
      await expect(other.changeHandle({ body: { handle } }), handle).rejects.toMatchObject({ code: 'HANDLE_TAKEN' });
    const check = async (handle: string) => (await other.checkHandle({ query: { handle } })).state;
    expect(await Promise.all(['anna-lee', 'adm1n', 'somebody-else'].map(check))).toEqual(['taken', 'reserved', 'free']);
  });

  test('a reserved or malformed handle is refused', async () => {
    const user = await newPerson();
    for (const handle of ['admin', 'l0gin', 'api', 'ADMIN', 'аnna', 'an', 'a'.repeat(41), 'a--b', '../x', 'a/b'])
      expect((await send(user, 'PUT', '/api/handle', { handle })).statusCode, handle).toBe(400);
  });

  test('a former handle is kept from others, can be taken back, and few are kept at a time', async () => {
    const [anna, other] = [apiOf(await newPerson()), apiOf(await newPerson())];
    for (const handle of ['first-name', 'second-name', 'third-name', 'fourth-name'])
      await anna.changeHandle({ body: { handle } });
    await expect(other.changeHandle({ body: { handle: 'second-name' } })).rejects.toMatchObject({
      code: 'HANDLE_TAKEN',
    });
    await expect(anna.changeHandle({ body: { handle: 'fifth-name' } })).rejects.toMatchObject({
      code: 'HANDLE_CHANGES',
    });
    const back = await anna.changeHandle({ body: { handle: 'second-name' } });
    expect(back.resting.map(({ handle }) => handle).toSorted()).toEqual(['first-name', 'fourth-name', 'third-name']);
  });

  test('a handle that two people choose at once goes to one of them', async () => {
    const both = [apiOf(await newPerson()), apiOf(await newPerson())];
    const answers = await Promise.allSettled(
      both.map((api) => api.changeHandle({ body: { handle: 'wanted-by-two' } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

test('an event type whose chosen calendars are gone is checked against all calendars, and says so', async () => {
  const user = await newPerson();
  const api = apiOf(user);
  const [lost, left] = [await insertOwnAccount(server, user), await insertOwnAccount(server, user)];
  const { id, slug, settings } = await create(api, 'Intro');
  const choose = async (version: number, ids: string[], target: string | null = null) => {
    const chosen = {
      ...settings,
      blocking_calendar_ids: ids as CalendarId[],
      target_calendar_id: target as CalendarId,
    };
    const body = { version, title: 'Intro', slug, description: '', hidden: false, secret: false, settings: chosen };
    return (await api.changeEventType({ params: { id }, body })).event_type;
  };
  const read = async () => (await api.readEventType({ params: { id } })).event_type;
  const drop = (calendarId: string) =>
    sql`delete from connections.calendars where id = ${calendarId}`.execute(server.app.db);

  const both = await choose(1, [lost.calendarId, left.calendarId], lost.calendarId);
  expect(both).toMatchObject({ lacks_calendars: false, settings: { target_calendar_id: lost.calendarId } });
  await drop(lost.calendarId);
  const one = {
    lacks_calendars: true,
    settings: { blocking_calendar_ids: [left.calendarId], target_calendar_id: null },
  };
  expect(await read()).toMatchObject(one);
  // saved as it is shown, it lacks nothing
  expect(await choose(2, [left.calendarId])).toMatchObject({ lacks_calendars: false });
  await drop(left.calendarId);
  expect(await read()).toMatchObject({ lacks_calendars: true, settings: { blocking_calendar_ids: null } });
  expect((await api.listEventTypes()).event_types).toMatchObject([{ lacks_calendars: true }]);
});
