import { describe, expect, it } from 'vitest';
import { type Core, eventLimits, type Series } from '#kernel/event.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { conformanceIdentity, conformanceTags } from '../conformance.ts';
import { insertOf } from './from-event.ts';
import { eventIdOf } from './mirror-id.ts';
import { readEvent } from './resource.ts';
import { itemOf, type ReadContext, versionOf } from './to-event.ts';

const context: ReadContext = {
  self: new Set(['ada@example.com']),
  tags: conformanceTags,
  calendarZone: 'Europe/Berlin',
};

const timed = {
  start: { dateTime: '2027-03-08T09:00:00+01:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2027-03-08T10:00:00+01:00', timeZone: 'Europe/Berlin' },
};

/** The item that a resource of the API becomes, with exceptions where given. */
function read(resource: Record<string, unknown>, exceptions: Record<string, unknown>[] = []) {
  const master = readEvent({ id: 'e1', etag: '"1"', status: 'confirmed', ...timed, ...resource });
  const parts = exceptions.map((one, n) =>
    readEvent({ id: `e1_${n}`, etag: `"x${n}"`, recurringEventId: 'e1', ...one }),
  );
  if (master === null) throw new Error('not an event');
  return itemOf({ ref: master.id, master, exceptions: parts.filter((one) => one !== null) }, context);
}

function coreOf(resource: Record<string, unknown>): Core {
  const { body } = read(resource);
  if (body.kind !== 'single' && body.kind !== 'series') throw new Error(`it is ${body.kind}`);
  return body.core;
}

const guests = (responseStatus: string, self = true) => ({
  organizer: { email: 'boss@example.org', displayName: 'Boss' },
  attendees: [
    { email: 'ada@example.com', self, responseStatus },
    { email: 'bob@example.org', displayName: 'Bob', responseStatus: 'accepted' },
    { email: 'room@resource.example', resource: true, responseStatus: 'accepted' },
  ],
});

describe('event properties', () => {
  it.each([
    [{}, { busy: 'busy', kind: 'default', self: 'none', private: false }],
    [{ transparency: 'transparent' }, { busy: 'free' }],
    [{ transparency: 'translucent' }, { busy: 'busy' }],
    [{ status: 'tentative' }, { busy: 'tentative' }],
    [{ eventType: 'outOfOffice' }, { busy: 'oof', kind: 'out-of-office' }],
    [
      { eventType: 'outOfOffice', transparency: 'transparent' },
      { busy: 'free', kind: 'out-of-office' },
    ],
    [{ eventType: 'focusTime' }, { busy: 'busy', kind: 'focus' }],
    [{ eventType: 'workingLocation' }, { busy: 'free', kind: 'working-location' }],
    [{ eventType: 'birthday' }, { busy: 'free', kind: 'birthday' }],
    [{ eventType: 'fromGmail' }, { busy: 'busy', kind: 'from-mail' }],
    [{ eventType: 'somethingNew' }, { busy: 'busy', kind: 'default' }],
    [{ visibility: 'private' }, { private: true }],
    [{ visibility: 'confidential' }, { private: true }],
    [{ visibility: 'public' }, { private: false }],
    [{ colorId: '11' }, { color: '#d50000' }],
    [{ colorId: '99' }, { color: undefined }],
    [guests('declined'), { self: 'declined', busy: 'busy' }],
    [guests('needsAction'), { self: 'needs-action' }],
    [guests('tentative'), { self: 'tentative' }],
    [guests('accepted'), { self: 'accepted' }],
    [guests('accepted', false), { self: 'accepted' }],
    [{ organizer: { email: 'ada@example.com', self: true } }, { self: 'none' }],
    [{ ...guests('accepted'), organizer: { email: 'ada@example.com', self: true } }, { self: 'organizer' }],
    [{ hangoutLink: 'https://meet.google.com/abc' }, { joinUrl: 'https://meet.google.com/abc' }],
    [
      {
        conferenceData: {
          entryPoints: [{ entryPointType: 'phone' }, { entryPointType: 'video', uri: 'https://zoom.us/j/1' }],
        },
      },
      { joinUrl: 'https://zoom.us/j/1' },
    ],
    [{ location: 'https://zoom.us/j/2' }, { joinUrl: 'https://zoom.us/j/2' }],
    [{ hangoutLink: 'javascript:alert(1)' }, { joinUrl: undefined }],
  ])('an event with %j is read as %j', (resource, core) => {
    const found = coreOf(resource);
    for (const [name, value] of Object.entries(core)) expect(found[name as keyof Core]).toEqual(value);
  });

  it('attendees include the organizer but neither the owner nor rooms', () => {
    expect(coreOf(guests('accepted')).attendees).toEqual([
      { email: 'bob@example.org', name: 'Bob', response: 'accepted' },
      { email: 'boss@example.org', name: 'Boss', response: 'accepted' },
    ]);
  });

  it('omitted attendees give a warning', () => {
    const attendees = [{ email: 'ada@example.com', self: true, responseStatus: 'accepted' }];
    expect(read({ attendees, attendeesOmitted: true }).warnings).toEqual(['guests-hidden']);
  });

  it('properties of a wrong type are ignored', () => {
    const odd = { summary: 7, attendees: 'nobody', colorId: null, sequence: '3', recurrence: {}, visibility: [] };
    expect(read(odd)).toMatchObject({ body: { kind: 'single', core: { busy: 'busy', private: false } } });
  });
});

describe('event times', () => {
  it.each([
    [
      'in its own zone, whatever zone the answer is in',
      timed.start.timeZone,
      '2027-03-08T03:00:00-05:00',
      '2027-03-08T09:00:00',
    ],
    ['in the zone of the calendar where it names none', undefined, '2027-03-08T08:00:00Z', '2027-03-08T09:00:00'],
    ['in UTC', 'UTC', '2027-03-08T09:00:00+01:00', '2027-03-08T08:00:00'],
    ['with fractions of a second', 'Europe/Berlin', '2027-03-08T09:00:00.000+01:00', '2027-03-08T09:00:00'],
  ])('an event time is read %s', (_, timeZone, dateTime, start) => {
    const body = read({ start: { dateTime, timeZone } }).body;
    expect(body).toMatchObject({
      when: { kind: 'zoned', start, zone: timeZone ?? 'Europe/Berlin', duration: { seconds: 3_600 } },
    });
  });

  it('an all-day event excludes its last day', () => {
    expect(read({ start: { date: '2027-03-08' }, end: { date: '2027-03-10' } }).body).toMatchObject({
      when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-10' },
    });
    expect(read({ start: { date: '2027-03-08' }, end: { date: '2027-03-08' } }).body).toMatchObject({
      when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' },
    });
  });

  it.each([
    [{}],
    [{ timeZone: 'Europe/Berlin' }],
    [{ date: 'soon' }],
    [{ dateTime: '2027-03-08' }],
    ['soon'],
    [undefined],
  ])('an event that starts at %j is withheld', (start) => {
    const item = read({ start });
    expect(item).toMatchObject({
      ref: 'e1',
      version: '"1"',
      body: { kind: 'withheld', reason: expect.stringMatching(/^start-unreadable /) },
    });
  });

  it('a single event in an unknown zone is read as UTC, and of a series the start is known', () => {
    const start = { dateTime: '2027-03-08T09:00:00+01:00', timeZone: 'Mars/Olympus' };
    expect(read({ start })).toMatchObject({
      body: { when: { start: '2027-03-08T08:00:00', zone: 'UTC' } },
      warnings: ['zone-as-utc {"zone":"Mars/Olympus"}'],
    });
    expect(read({ start, recurrence: ['RRULE:FREQ=DAILY'] })).toMatchObject({
      body: {
        kind: 'instances',
        list: { '20270308T080000Z': { when: { start: '2027-03-08T08:00:00', zone: 'UTC' } } },
      },
      warnings: ['zone-of-series-unknown {"zone":"Mars/Olympus"}'],
    });
  });
});

describe('series', () => {
  const weekly = { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=8', 'EXDATE;TZID=Europe/Berlin:20270322T090000'] };
  const original = (dateTime: string) => ({ originalStartTime: { dateTime, timeZone: 'Europe/Berlin' } });

  it('a series has its excluded, cancelled and changed instances by their original start in UTC', () => {
    const body = read(weekly, [
      { status: 'cancelled', ...original('2027-03-15T09:00:00+01:00') },
      {
        ...original('2027-03-29T09:00:00+02:00'),
        summary: 'Moved',
        start: { dateTime: '2027-03-30T14:00:00+02:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2027-03-30T15:00:00+02:00', timeZone: 'Europe/Berlin' },
      },
    ]).body as Series;
    expect(body.rules).toEqual(['FREQ=WEEKLY;COUNT=8']);
    expect(body.exdates).toEqual(['20270315T080000Z', '20270322T080000Z']);
    expect(body.overrides).toMatchObject({
      '20270329T070000Z': { when: { start: '2027-03-30T14:00:00' }, core: { title: 'Moved' } },
    });
  });

  it('an all-day series names its instances by date', () => {
    const days = {
      start: { date: '2027-03-08' },
      end: { date: '2027-03-09' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
    };
    const body = read(days, [
      { status: 'cancelled', originalStartTime: { date: '2027-03-09' } },
      { originalStartTime: { date: '2027-03-10' }, start: { date: '2027-03-11' }, end: { date: '2027-03-12' } },
    ]).body as Series;
    expect(body.exdates).toEqual(['20270309']);
    expect(Object.keys(body.overrides)).toEqual(['20270310']);
  });

  it.each([
    ['RRULE:FREQ=FORTNIGHTLY'],
    ['RRULE:FREQ=DAILY;COUNT=0'],
    ['RRULE:FREQ=DAILY;INTERVAL=0', 'EXDATE:20270401T000000Z'],
  ])('a series with the unreadable rule %s has its known times, and is only read', (...recurrence) => {
    const moved = {
      originalStartTime: { dateTime: '2027-03-15T09:00:00+01:00' },
      start: { dateTime: '2027-03-16T14:00:00+01:00' },
      end: { dateTime: '2027-03-16T15:00:00+01:00' },
    };
    const times = (item: ReturnType<typeof read>) =>
      occurrencesOf(item.body, 'UTC', 'UTC', { fromMs: 0, toMs: Date.UTC(2030, 0) }, eventLimits).list.map(
        ({ startMs }) => new Date(startMs).toISOString(),
      );
    const alone = read({ ...weekly, recurrence });
    expect(times(alone)).toEqual(['2027-03-08T08:00:00.000Z']);
    expect(alone.warnings).toContain(warning('rule-unreadable', { source: recurrence[0] ?? '' }));
    const changed = read({ ...weekly, recurrence }, [moved]);
    expect(times(changed)).toEqual(['2027-03-08T08:00:00.000Z', '2027-03-16T13:00:00.000Z']);
    for (const { body } of [alone, changed]) expect(['instances', 'split']).toContain(body.kind);
  });

  it('an end that cannot be read takes an hour', () => {
    expect(read({ end: {} })).toMatchObject({
      body: { when: { duration: { seconds: 3_600 } } },
      warnings: ['end-unreadable {"source":""}'],
    });
  });

  it('an exception without an original start is left out with a warning', () => {
    const item = read(weekly, [{ status: 'cancelled' }]);
    expect((item.body as Series).exdates).toEqual(['20270322T080000Z']);
    expect(item.warnings).toEqual(['change-unnamed']);
  });

  it('a series gets another version when an exception changes, whatever their order', () => {
    const event = (id: string, etag: string) => readEvent({ id, etag, recurringEventId: 'e1' })!;
    const master = readEvent({ id: 'e1', etag: '"1"' });
    const version = (...exceptions: ReturnType<typeof event>[]) => versionOf({ ref: 'e1', master, exceptions });
    expect(version()).toBe('"1"');
    expect(version(event('a', '1'), event('b', '1'))).toBe(version(event('b', '1'), event('a', '1')));
    const versions = [version(event('a', '1')), version(event('a', '2')), version(event('b', '1')), version()];
    expect(new Set(versions).size).toBe(4);
  });
});

describe('mirrors', () => {
  const identity = conformanceIdentity(1);
  const ours = (core: Partial<Core> = {}) =>
    insertOf(identity, eventIdOf(identity), {
      kind: 'single',
      when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
      core: { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Busy', ...core },
    });

  it('a mirror is recognized by its id alone when its properties were dropped', () => {
    const { extendedProperties: _, ...rest } = ours();
    expect(read(rest)).toMatchObject({
      uid: identity.uid,
      provenance: 'own',
      body: {
        kind: 'single',
        when: { start: '2027-03-08T08:00:00', zone: 'UTC' },
        core: { title: 'Busy', private: true },
      },
    });
  });

  it('a link in the location of a mirror is not read as a join link', () => {
    expect(coreOf(ours({ location: 'https://zoom.us/j/2' })).joinUrl).toBeUndefined();
  });

  it('a mirror keeps statuses and colors that Google lacks until its user changes them', () => {
    for (const busy of ['oof', 'elsewhere', 'tentative', 'free'] as const)
      expect(coreOf(ours({ busy })).busy).toBe(busy);
    expect(coreOf({ ...ours({ busy: 'oof' }), transparency: 'transparent' }).busy).toBe('free');
    const tomato = coreOf(ours({ color: '#ff6347' })).color;
    expect(tomato).toBe('#ff6347');
    expect(coreOf({ ...ours({ color: '#ff6347' }), colorId: '10' }).color).not.toBe(tomato);
  });

  it('a copied mirror is foreign despite its tag', () => {
    expect(read({ ...ours(), id: 'acopy0123456789' })).toMatchObject({ provenance: 'foreign' });
  });
});

describe('instances without a visible master', () => {
  it('instances without a visible master are read on their own', () => {
    const exceptions = [
      readEvent({
        id: 'm_1',
        etag: '"1"',
        iCalUID: 'm@x',
        recurringEventId: 'm',
        originalStartTime: { dateTime: '2027-03-08T09:00:00+01:00' },
        ...timed,
      })!,
      readEvent({ id: 'm_2', status: 'cancelled', recurringEventId: 'm' })!,
    ];
    const item = itemOf({ ref: 'm', master: null, exceptions }, context);
    expect(item).toMatchObject({ ref: 'm', uid: 'm@x', provenance: 'foreign', body: { kind: 'instances', of: 'm' } });
    expect(item.body).toMatchObject({ list: { '20270308T080000Z': { when: { start: '2027-03-08T09:00:00' } } } });
    expect(item.version).toMatch(/^~[0-9a-f]{16}$/);
  });
});
