import { beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { Core, Series, Single } from '#kernel/event.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount, openEmulatedGoogle } from '../../../test/harness/google-world.ts';
import { conformanceTags } from '../conformance.ts';
import type { Answer, FoundMirror, MirrorBody } from '../port.ts';

/** A person's own events, and every way in which Google can fail to write them. */

const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Talk' };
const talk: Single = {
  kind: 'single',
  when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
  core,
};
const weekly: Series = {
  ...talk,
  kind: 'series',
  rules: ['FREQ=WEEKLY;COUNT=8'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
};
const second = '20270315T080000Z';
const third = '20270322T080000Z';
/** After the change of the clocks. */
const fourth = '20270329T070000Z';
const instance = (start: string, more: Partial<Core> = {}) => ({
  when: { ...weekly.when, start },
  core: { ...core, ...more },
});

/** One Google for all, and a calendar for each test. */
const emulated = emulateGoogle();
let signedIn: Awaited<ReturnType<typeof emulated.signIn>>;
let calendars = 0;

beforeAll(async () => {
  await emulated.control.knobs({ perMinutePerUser: 100_000, perMinutePerProject: 100_000 });
  await emulated.control.seed({ account: googleAccount, calendars: [] });
  signedIn = await emulated.signIn(googleAccount);
});

async function open(more: { timeoutMs?: number } = {}) {
  calendars += 1;
  const calendar = `calendar-${calendars}@group.calendar.google.com`;
  await emulated.control.seed({ account: googleAccount, calendars: [{ id: calendar }] });
  await emulated.control.clearFaults();
  await emulated.control.clearLedger();
  const { token, api } = signedIn;
  const { events } = openEmulatedGoogle(emulated, fixedTokens(token.access_token), conformanceTags, more);
  if (events === undefined) throw new Error('Google events can be written');
  const signal = AbortSignal.timeout(10_000);
  const path = `/calendars/${calendar}/events`;
  const identity = { key: 'editor0001', uid: 'editor0001@holdfast.invalid' };
  return {
    ...emulated,
    emulated,
    calendar,
    create: (body: MirrorBody = talk, tellGuests = false) =>
      events.create(calendar, identity, body, { tellGuests }, signal),
    find: () => events.find(calendar, identity, signal),
    read: (ref: string = identity.key) => events.read(calendar, ref, signal),
    change: (current: FoundMirror, after: MirrorBody, tellGuests = false) =>
      events.change(calendar, current, current.item.body as MirrorBody, after, { tellGuests }, signal),
    answer: (current: FoundMirror, after: MirrorBody, more: Partial<Answer> = {}) => {
      if (events.answer === undefined) throw new Error('Invitations at Google can be answered');
      const answer = { parts: [''], tellOrganizer: true, note: null, again: false, ...more };
      return events.answer(calendar, current, after, answer, signal);
    },
    remove: (current: FoundMirror, tellGuests = false) => events.remove(calendar, current, { tellGuests }, signal),
    /** The person at another app. */
    theirs: async (method: string, at: string, body?: unknown) => (await api(method, `${path}${at}`, body)).body,
    raw: async (ref: string = identity.key) => (await api('GET', `${path}/${ref}`)).body,
    stands: async () => (await emulated.control.snapshot()).accounts[googleAccount]?.calendars[calendar]?.events ?? [],
    writes: async () =>
      (await emulated.control.ledger())
        .filter(({ operation }) => /insert|patch|delete/.test(operation))
        .map(({ operation, query }) => `${operation} ${new URLSearchParams(query).get('sendUpdates')}`),
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  expect(error.message).toMatch(/^.{15,}[.]$/s);
  return error;
}

describe('creating events', () => {
  it('a created event is read back in full and carries no mirror mark', async () => {
    const world = await open();
    const body: Single = {
      ...talk,
      core: {
        ...core,
        busy: 'tentative',
        private: true,
        location: 'Room 1',
        notes: 'Agenda',
        joinUrl: 'https://meet.example.org/abc',
        attendees: [{ email: 'bob@example.com', name: 'Bob', response: 'needs-action' }],
        color: '#33b679',
        reminders: [10, 60],
      },
    };
    const found = await world.create(body);
    expect(found.item).toMatchObject({ ref: 'editor0001', provenance: 'foreign', version: found.version });
    expect(found.item.body).toEqual({ ...body, core: { ...body.core, self: 'organizer' } });
    const raw = await world.raw();
    expect(raw).not.toHaveProperty('extendedProperties');
    expect(raw).toMatchObject({
      description: 'Agenda\n\nJoin: https://meet.example.org/abc',
      reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }, { minutes: 60 }] },
    });
  });

  it.each([true, false])('attendees are notified of every write if requested: %s', async (tellGuests) => {
    const world = await open();
    const mode = tellGuests ? 'all' : 'none';
    let found = await world.create(weekly, tellGuests);
    found = await world.change(found, { ...weekly, core: { ...core, title: 'New' } }, tellGuests);
    found = await world.change(found, { ...(found.item.body as Series), exdates: [second] }, tellGuests);
    await world.remove(found, tellGuests);
    expect(await world.writes()).toEqual([
      `events.insert ${mode}`,
      `events.patch ${mode}`,
      `events.delete ${mode}`,
      `events.delete ${mode}`,
    ]);
  });

  it('a series can be created with cancelled and moved instances', async () => {
    const world = await open();
    const body: Series = {
      ...weekly,
      exdates: [second],
      overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved' }) },
    };
    expect((await world.create(body)).item.body).toEqual(body);
  });

  it('an all-day series can be created and changed', async () => {
    const world = await open();
    const days: Series = { ...weekly, when: { kind: 'all-day', start: '2027-03-27', end: '2027-03-29' } };
    const found = await world.create({ ...days, exdates: ['20270403'] });
    expect(found.item.body).toEqual({ ...days, exdates: ['20270403'] });
    const moved = { when: { kind: 'all-day', start: '2027-04-11', end: '2027-04-12' }, core } as const;
    const after: Series = { ...days, exdates: ['20270403', '20270417'], overrides: { '20270410': moved } };
    expect((await world.change(found, after)).item.body).toEqual(after);
  });

  it.each(['reset', 'timeout', '502'])('an event whose create response is lost by %s exists once', async (variant) => {
    const world = await open({ timeoutMs: 400 });
    await world.control.addFaults({ name: 'F2', variant, op: 'events.insert' });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient' });
    const found = await world.find();
    expect(found?.item.body).toEqual(talk);
    expect(await world.create()).toEqual(found);
    expect(await world.stands()).toHaveLength(1);
  });

  it('a repeated create completes the moved instances of its series', async () => {
    const world = await open();
    const body: Series = { ...weekly, overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved' }) } };
    // The series is made, what is moved in it does not arrive.
    await world.control.addFaults({ name: 'F1', variant: 'reset', op: 'events.patch' });
    expect(await refusalOf(world.create(body))).toMatchObject({ kind: 'transient' });
    expect((await world.create(body)).item.body).toEqual(body);
    await world.control.addFaults({ name: 'G14' });
    expect((await world.create(body)).item.body).toEqual(body);
    expect((await world.stands()).map(({ id }) => id)).toEqual(['editor0001', `editor0001_${fourth}`]);
  });

  it('an event that was never created is not found, and a deleted one is restored by a create', async () => {
    const world = await open();
    expect(await world.find()).toBeNull();
    await world.create({ ...talk, core: { ...core, location: 'Room' } });
    await world.theirs('DELETE', '/editor0001');
    expect(await world.find()).toBeNull();
    expect((await world.create()).item.body).toMatchObject({ when: talk.when });
    expect(await world.stands()).toHaveLength(1);
  });

  it('an event with floating times is refused before any request', async () => {
    const world = await open();
    const floating: Single = {
      ...talk,
      when: { kind: 'floating', start: '2027-03-08T09:00:00', duration: { seconds: 60 } },
    };
    expect(await refusalOf(world.create(floating))).toMatchObject({ kind: 'rejected', code: 'UNSUPPORTED' });
    expect(await world.writes()).toEqual([]);
  });
});

describe('changing events', () => {
  it('a change writes only the differences and keeps attendee details, email reminders and unknown properties', async () => {
    const world = await open();
    await world.theirs('POST', '', {
      id: 'editor0001',
      summary: 'Talk',
      start: { dateTime: '2027-03-08T09:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2027-03-08T12:00:00', timeZone: 'Europe/London' },
      description: '<b>Agenda</b>',
      guestsCanModify: true,
      attachments: [{ fileUrl: 'https://drive.example/1' }],
      extendedProperties: { shared: { theirs: '1' } },
      reminders: {
        useDefault: false,
        overrides: [
          { method: 'email', minutes: 60 },
          { method: 'popup', minutes: 5 },
        ],
      },
      attendees: [
        { email: 'bob@example.com', responseStatus: 'accepted', optional: true, comment: 'Late' },
        { email: 'room@resource.example.com', resource: true, responseStatus: 'accepted' },
        { email: 'carl@example.com', responseStatus: 'declined' },
      ],
    });
    const found = await world.read();
    const { body } = found!.item as { body: Single };
    expect(body.core).toMatchObject({ reminders: [5, 60], attendees: [{ email: 'bob@example.com' }, {}] });
    const after: Single = {
      ...body,
      when: { ...talk.when, start: '2027-03-08T10:00:00', duration: { seconds: 3_600 } } as Single['when'],
      core: {
        ...body.core,
        attendees: [...body.core.attendees!.slice(0, 1), { email: 'dora@example.com', name: 'Dora' }],
        reminders: [15, 60],
      },
    };
    await world.change(found!, after);
    expect(await world.raw()).toMatchObject({
      description: '<b>Agenda</b>',
      guestsCanModify: true,
      attachments: [{ fileUrl: 'https://drive.example/1' }],
      extendedProperties: { shared: { theirs: '1' } },
      end: { timeZone: 'Europe/London' },
      reminders: {
        overrides: [
          { method: 'popup', minutes: 15 },
          { method: 'email', minutes: 60 },
        ],
      },
      attendees: [
        { email: 'bob@example.com', responseStatus: 'accepted', optional: true, comment: 'Late' },
        { email: 'room@resource.example.com', resource: true, responseStatus: 'accepted' },
        { email: 'dora@example.com', displayName: 'Dora', responseStatus: 'needsAction' },
      ],
    });
  });

  it('a change takes one read and one write, and its response gives the result', async () => {
    const world = await open();
    const found = await world.create();
    await world.change(found, { ...talk, core: { ...core, title: 'New' } });
    const asked = (await world.control.ledger()).map(({ operation }) => operation);
    expect(asked).toEqual(['events.insert', 'events.get', 'events.patch']);
  });

  it('a change that Google cannot store sends nothing', async () => {
    const world = await open();
    const found = await world.create();
    const same = await world.change(found, { ...talk, core: { ...core, categories: ['Work'] } });
    expect(same).toEqual(found);
    expect(await world.writes()).toHaveLength(1);
  });

  it('a change that removes values clears them at Google', async () => {
    const world = await open();
    const full: Core = { ...core, location: 'Here', notes: 'Long', color: '#33b679', reminders: [], private: true };
    const found = await world.create({ ...weekly, core: { ...full, attendees: [{ email: 'bob@example.com' }] } });
    const bare = { ...core, self: 'none' as const, busy: 'free' as const };
    delete (bare as Core).title;
    const after = await world.change(found, { ...talk, core: bare });
    expect(after.item.body).toEqual({ ...talk, core: bare });
    const raw = await world.raw();
    for (const gone of ['summary', 'location', 'description', 'colorId', 'recurrence'])
      expect(raw).not.toHaveProperty(gone);
    expect(raw).toMatchObject({ reminders: { useDefault: true }, transparency: 'transparent', attendees: [] });
  });

  it.each<[string, Partial<Core>, Partial<Core>]>([
    [
      'in the place',
      { location: 'https://zoom.us/j/1' },
      { location: 'https://zoom.us/j/2', joinUrl: 'https://zoom.us/j/2' },
    ],
    [
      'in the notes',
      { notes: 'Dial https://zoom.us/j/1 now' },
      { notes: 'Dial https://zoom.us/j/2 now', joinUrl: 'https://zoom.us/j/2' },
    ],
    [
      'of no known service',
      { notes: 'Hi', joinUrl: 'https://call.example/1' },
      { notes: 'Hi', joinUrl: 'https://zoom.us/j/2' },
    ],
  ])('a join link %s is changed and removed where it is', async (_, before, expected) => {
    const world = await open();
    const found = await world.create({ ...talk, core: { ...core, ...before } });
    const standing = (found.item.body as Single).core;
    const linked = await world.change(found, { ...talk, core: { ...standing, joinUrl: 'https://zoom.us/j/2' } });
    expect(linked.item.body).toEqual({ ...talk, core: { ...core, ...expected } });
    const without = await world.change(linked, {
      ...talk,
      core: { ...(linked.item.body as Single).core, joinUrl: undefined },
    });
    expect((without.item.body as Single).core.joinUrl).toBeUndefined();
  });

  it('a join link stays when its text is removed from the location', async () => {
    const world = await open();
    const found = await world.create({ ...talk, core: { ...core, location: 'https://zoom.us/j/1' } });
    const after = { ...talk, core: { ...(found.item.body as Single).core, location: 'Room' } };
    expect((await world.change(found, after)).item.body).toEqual(after);
  });

  it('a Google conference is kept, and replacing it is refused', async () => {
    const world = await open();
    const conferenceData = { entryPoints: [{ entryPointType: 'video', uri: 'https://meet.google.com/abc' }] };
    await world.create();
    await world.theirs('PATCH', '/editor0001?conferenceDataVersion=1', { conferenceData });
    const found = (await world.read())!;
    const { core: standing } = found.item.body as Single;
    expect(standing.joinUrl).toBe('https://meet.google.com/abc');
    const other = world.change(found, { ...talk, core: { ...standing, joinUrl: 'https://zoom.us/j/1' } });
    expect(await refusalOf(other)).toMatchObject({ kind: 'rejected', code: 'CONFERENCE_KEPT' });
    const after = await world.change(found, { ...talk, core: { ...standing, notes: 'New' } });
    expect(after.item.body).toEqual({ ...talk, core: { ...standing, notes: 'New' } });
    expect(await world.raw()).toMatchObject({ conferenceData, description: 'New' });
  });

  it('a change of an outdated version writes nothing, even if only an instance changed', async () => {
    const world = await open();
    const found = await world.create(weekly);
    await world.theirs('PATCH', `/editor0001_${third}`, { summary: 'Theirs' });
    const change = world.change(found, { ...weekly, core: { ...core, title: 'Mine' } });
    expect(await refusalOf(change)).toMatchObject({ kind: 'precondition', code: 'CHANGED_MEANWHILE' });
    expect(await refusalOf(world.remove(found))).toMatchObject({ kind: 'precondition' });
    expect(await world.raw()).toMatchObject({ summary: 'Talk' });
  });

  it('a change overtaken between its read and its write writes nothing', async () => {
    const world = await open();
    const found = await world.create();
    await world.control.addFaults({ name: 'G15' });
    const change = world.change(found, { ...talk, core: { ...core, title: 'Mine' } });
    expect(await refusalOf(change)).toMatchObject({ kind: 'precondition', code: 'CHANGED_MEANWHILE' });
    expect((await world.read())?.version).toBe(found.version);
  });

  it.each(['reset', 'timeout', '502'])('a change whose response is lost by %s is found applied', async (variant) => {
    const world = await open({ timeoutMs: 400 });
    const found = await world.create();
    const after = { ...talk, core: { ...core, title: 'New' } };
    await world.control.addFaults({ name: 'F2', variant, op: 'events.patch' });
    expect(await refusalOf(world.change(found, after))).toMatchObject({ kind: 'transient' });
    expect((await world.read())?.item.body).toEqual(after);
  });

  it('a change is rate-limited when Google is busy, and refused in a read-only calendar', async () => {
    const world = await open();
    const found = await world.create();
    const change = () => world.change(found, { ...talk, core: { ...core, title: 'New' } });
    await world.control.addFaults({ name: 'G6', variant: '429', op: 'events.patch' });
    expect(await refusalOf(change())).toMatchObject({ kind: 'rate-limited' });
    await world.control.addFaults({ name: 'G17', variant: 'requiredAccessLevel', op: 'events.patch' });
    expect(await refusalOf(change())).toMatchObject({ kind: 'rejected', code: 'READ_ONLY' });
    expect(await change()).toMatchObject({ item: { body: { core: { title: 'New' } } } });
  });

  it('a change reserved to the organizer is refused, and a deleted event reported as gone', async () => {
    const world = await open();
    const event = {
      summary: 'Invited',
      start: '2027-03-08T09:00',
      organizer: { email: 'boss@example.com' },
      attendees: [{ email: 'boss@example.com' }, { email: world.calendar }],
    };
    const { id } = await world.control.act({ account: googleAccount, calendar: world.calendar, do: 'create', event });
    const found = (await world.read(String(id)))!;
    const { core: standing } = found.item.body as Single;
    const change = world.change(found, { ...(found.item.body as Single), core: { ...standing, title: 'Mine' } });
    expect(await refusalOf(change)).toMatchObject({ kind: 'rejected', code: 'NOT_ORGANIZER' });
    await world.theirs('DELETE', `/${id}`);
    expect(await refusalOf(world.change(found, talk))).toMatchObject({ kind: 'not-found', code: 'NOT_FOUND' });
    expect(await refusalOf(world.remove(found))).toMatchObject({ kind: 'not-found' });
    expect(await world.read(String(id))).toBeNull();
  });
});

describe('changing series', () => {
  it('an instance can be moved, renamed, cancelled, restored and reset', async () => {
    const world = await open();
    const created = await world.create(weekly);
    const changed: Series = {
      ...weekly,
      exdates: [second],
      overrides: {
        [third]: instance('2027-03-23T10:00:00', { title: 'Moved', busy: 'free' }),
        [fourth]: instance('2027-03-29T09:00:00', { location: 'There' }),
      },
    };
    const found = await world.change(created, changed);
    expect(found.item.body).toEqual(changed);
    expect((await world.raw()).recurrence).toEqual(['RRULE:FREQ=WEEKLY;COUNT=8']);
    const back = await world.change(found, { ...weekly, exdates: [third] });
    const { exdates, overrides } = back.item.body as Series;
    expect(exdates).toEqual([third]);
    // Google keeps what was brought back as instances of their own, which say what the series says.
    expect(overrides).toEqual({ [second]: instance('2027-03-15T09:00:00'), [fourth]: instance('2027-03-29T09:00:00') });
  });

  it('a restored instance is removed from the EXDATE line of another app', async () => {
    const world = await open();
    const recurrence = ['RRULE:FREQ=WEEKLY;COUNT=8', 'EXDATE;TZID=Europe/Berlin:20270315T090000,20270322T090000'];
    await world.create(weekly);
    await world.theirs('PATCH', '/editor0001', { recurrence });
    const found = (await world.read())!;
    const titled = { ...(found.item.body as Series), core: { ...core, title: 'New' } };
    expect((await world.change(found, titled)).item.body).toMatchObject({ exdates: [second, third] });
    expect((await world.raw()).recurrence).toEqual(recurrence);
    const again = (await world.read())!;
    expect((await world.change(again, { ...titled, exdates: [third] })).item.body).toEqual({
      ...titled,
      exdates: [third],
    });
  });

  it('a series moved to another time takes its cancelled and moved instances along', async () => {
    const world = await open();
    const before: Series = {
      ...weekly,
      exdates: [second],
      overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved', notes: 'Long' }) },
    };
    const found = await world.create(before);
    const after: Series = {
      ...weekly,
      when: { kind: 'zoned', start: '2027-03-09T10:30:00', zone: 'Europe/Berlin', duration: { seconds: 3_600 } },
      exdates: ['20270316T093000Z'],
      overrides: { '20270330T083000Z': before.overrides[fourth]! },
    };
    const moved = await world.change(found, after);
    expect(moved.item.body).toEqual(after);
    expect(await world.read()).toEqual(moved);
  });

  it('a series change that crashed after the master is completed by a retry', async () => {
    const world = await open();
    const before: Series = { ...weekly, overrides: { [fourth]: instance('2027-03-30T14:00:00', { title: 'Moved' }) } };
    const found = await world.create(before);
    const after: Series = {
      ...weekly,
      when: { ...weekly.when, start: '2027-03-08T11:00:00' } as Series['when'],
      overrides: { '20270329T090000Z': before.overrides[fourth]! },
    };
    // The master's patch passes, that of the instance does not arrive.
    await world.control.addFaults({ name: 'F1', variant: 'reset', op: 'events.patch', nth: 2 });
    expect(await refusalOf(world.change(found, after))).toMatchObject({ kind: 'transient' });
    const halfway = (await world.read())!;
    expect((await world.change(halfway, after)).item.body).toEqual(after);
  });

  it('a series can be ended before an instance', async () => {
    const world = await open();
    const found = await world.create({
      ...weekly,
      overrides: { [second]: instance('2027-03-16T09:00:00'), [fourth]: instance('2027-03-30T14:00:00') },
    });
    const after: Series = {
      ...weekly,
      rules: ['FREQ=WEEKLY;UNTIL=20270328T215959Z'],
      overrides: { [second]: instance('2027-03-16T09:00:00') },
    };
    expect((await world.change(found, after)).item.body).toEqual(after);
    expect(new Set((await world.stands()).map(({ id }) => id))).toEqual(
      new Set(['editor0001', `editor0001_${second}`]),
    );
  });

  it('a series can become a single event, and a single event a series', async () => {
    const world = await open();
    const found = await world.create(weekly);
    const single = await world.change(found, talk);
    expect(single.item.body).toEqual(talk);
    expect((await world.change(single, { ...weekly, exdates: [second] })).item.body).toEqual({
      ...weekly,
      exdates: [second],
    });
  });

  it('a series is private only as a whole, and takes no instance outside its rule', async () => {
    const world = await open();
    const found = await world.create(weekly);
    const secret = { ...weekly, overrides: { [third]: instance('2027-03-22T09:00:00', { private: true }) } };
    expect(await refusalOf(world.change(found, secret))).toMatchObject({ kind: 'rejected', code: 'SERIES_ONLY' });
    const beside = { ...weekly, overrides: { '20270323T080000Z': instance('2027-03-23T09:00:00') } };
    expect(await refusalOf(world.change(found, beside))).toMatchObject({ kind: 'rejected', code: 'UNSUPPORTED' });
    expect((await world.read())?.version).toBe(found.version);
  });

  it('an instance can have an additional attendee, and each keeps the given response', async () => {
    const world = await open();
    const guests = [{ email: 'bob@example.com', response: 'accepted' as const }];
    const found = await world.create({ ...weekly, core: { ...core, attendees: guests } });
    const before = found.item.body as Series;
    const more = [...before.core.attendees!, { email: 'dora@example.com', response: 'needs-action' as const }];
    const after: Series = {
      ...before,
      overrides: {
        [second]: {
          when: { ...before.when, start: '2027-03-15T09:00:00' } as Series['when'],
          core: { ...before.core, attendees: more },
        },
      },
    };
    expect((await world.change(found, after)).item.body).toEqual(after);
  });
});

describe('answering invitations', () => {
  const others = [
    { email: 'ben@example.org', responseStatus: 'accepted', displayName: 'Ben' },
    { email: 'cem@example.org', responseStatus: 'declined', comment: 'Away' },
  ];
  /** An event that Ben organizes, in the calendar of a test. */
  async function invited(more: Record<string, unknown> = {}, own: Record<string, unknown> = {}) {
    const world = await open();
    const made = await world.theirs('POST', '', {
      summary: 'Plan',
      start: { dateTime: '2027-03-08T09:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2027-03-08T10:00:00', timeZone: 'Europe/Berlin' },
      organizer: { email: 'ben@example.org' },
      attendees: [...others, { email: world.calendar, optional: true, ...own }],
      ...more,
    });
    const ref = String(made.id);
    const found = await world.read(ref);
    if (found === null) throw new Error('The invitation stands');
    await world.emulated.control.clearLedger();
    const attendees = async (id = ref) => (await world.raw(id)).attendees as Record<string, unknown>[];
    return { ...world, ref, found, attendees, body: found.item.body as Series };
  }
  const say = <Body extends MirrorBody>(body: Body, self: Core['self']): Body => ({
    ...body,
    core: { ...body.core, self },
  });
  const selfOf = (found: FoundMirror | null | undefined) => (found?.item.body as Single | undefined)?.core.self;

  it.each([
    ['accepted', 'accepted'],
    ['tentative', 'tentative'],
    ['declined', 'declined'],
    ['needs-action', 'needsAction'],
  ] as const)('the answer %s is written to the own entry and to no other', async (self, responseStatus) => {
    const world = await invited({}, { responseStatus: self === 'accepted' ? 'declined' : 'accepted' });
    const { found, reply } = await world.answer(world.found, say(world.body, self));
    expect([selfOf(found), reply]).toEqual([self, null]);
    expect(await world.attendees()).toMatchObject([
      ...others,
      { email: world.calendar, optional: true, self: true, responseStatus },
    ]);
  });

  it.each([true, false])('the organizer is mailed if that is wished: %s', async (tellOrganizer) => {
    const world = await invited();
    await world.answer(world.found, say(world.body, 'accepted'), { tellOrganizer });
    expect(await world.writes()).toEqual([`events.patch ${tellOrganizer ? 'all' : 'none'}`]);
  });

  it('a note is kept with the answer, stays with the next one, and is taken out by an empty one', async () => {
    const world = await invited();
    const noteOf = async () => (await world.attendees()).at(-1)?.comment;
    const first = await world.answer(world.found, say(world.body, 'accepted'), { note: 'Ten minutes late' });
    expect(await noteOf()).toBe('Ten minutes late');
    const next = await world.answer(first.found as FoundMirror, say(world.body, 'tentative'));
    expect(await noteOf()).toBe('Ten minutes late');
    await world.answer(next.found as FoundMirror, say(world.body, 'tentative'), { note: '' });
    expect(await noteOf()).toBe('');
    expect((await world.attendees())[1]?.comment).toBe('Away');
  });

  it('of two own addresses the entry of this calendar counts and is answered', async () => {
    const alias = { email: googleAccount, responseStatus: 'declined' };
    for (const isLast of [true, false]) {
      const world = await invited();
      const own = { email: world.calendar, responseStatus: 'needsAction' };
      const attendees = isLast ? [alias, own] : [own, alias];
      const made = await world.theirs('POST', '', {
        ...(await world.raw(world.ref)),
        id: undefined,
        iCalUID: undefined,
        attendees,
      });
      const found = (await world.read(String(made.id))) as FoundMirror;
      expect(selfOf(found)).toBe('needs-action');
      await world.answer(found, say(found.item.body as Single, 'accepted'));
      expect(await world.attendees(String(made.id))).toMatchObject(
        attendees.map(({ email, responseStatus }) => ({
          email,
          responseStatus: email === world.calendar ? 'accepted' : responseStatus,
        })),
      );
    }
  });

  it('one instance is answered, and the rest of the series is not', async () => {
    const world = await invited({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] });
    const when = { ...world.body.when, start: '2027-03-15T09:00:00' } as Series['when'];
    const after: Series = {
      ...world.body,
      overrides: { [second]: { when, core: { ...world.body.core, self: 'declined' } } },
    };
    const { found } = await world.answer(world.found, after, { parts: [second] });
    const body = found?.item.body as Series;
    expect([body.core.self, body.overrides[second]?.core.self]).toEqual(['needs-action', 'declined']);
    expect((await world.attendees(`${world.ref}_${second}`)).at(-1)?.responseStatus).toBe('declined');
    const all = await world.answer(found as FoundMirror, say(body, 'accepted'));
    const answered = all.found?.item.body as Series;
    expect([answered.core.self, answered.overrides[second]?.core.self]).toEqual(['accepted', 'declined']);
  });

  it('an event that changed since is not answered', async () => {
    const world = await invited();
    await world.theirs('PATCH', `/${world.ref}`, { colorId: '3' });
    expect(await refusalOf(world.answer(world.found, say(world.body, 'accepted')))).toMatchObject({
      kind: 'precondition',
    });
    expect((await world.attendees()).at(-1)?.responseStatus).toBe('needsAction');
  });

  it('an event without an own entry has nothing to answer', async () => {
    const world = await invited({ attendees: others });
    expect(selfOf(world.found)).toBe('none');
    expect(await refusalOf(world.answer(world.found, say(world.body, 'accepted')))).toMatchObject({
      kind: 'rejected',
      code: 'NOT_INVITED',
    });
  });

  it('an answer whose response was lost is found, and written once', async () => {
    const world = await invited();
    await world.emulated.control.addFaults({ name: 'F2', variant: 'reset', op: 'events.patch' });
    expect((await refusalOf(world.answer(world.found, say(world.body, 'accepted')))).kind).toBe('transient');
    const stands = await world.read(world.ref);
    expect(selfOf(stands)).toBe('accepted');
    await world.answer(stands as FoundMirror, say(world.body, 'accepted'));
    expect(await world.writes()).toEqual(['events.patch all']);
  });
});
