import { describe, expect, it } from 'vitest';
import type { Core, Series } from '#kernel/event.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import { type GraphEvent, readEvent } from './graph-event.ts';
import { transactionIdOf } from './mirror-marks.ts';
import { etagOf, eventReader } from './to-item.ts';

/** Meanings of Graph's fields. Source: event resource type (v1.0). */

const signer = createMirrorSigner(new Uint8Array(32).fill(7));
const read = eventReader(['Alice@Contoso.example'], signer);
const window = { fromMs: Date.UTC(2027, 0, 1), toMs: Date.UTC(2028, 0, 1) };

function event(more: Record<string, unknown> = {}): GraphEvent {
  const known = readEvent({
    '@odata.etag': 'W/"one"',
    id: 'AAk1',
    type: 'singleInstance',
    subject: 'Meeting',
    start: { dateTime: '2027-03-08T08:00:00.0000000', timeZone: 'UTC' },
    end: { dateTime: '2027-03-08T09:00:00.0000000', timeZone: 'UTC' },
    originalStartTimeZone: 'W. Europe Standard Time',
    isAllDay: false,
    showAs: 'busy',
    sensitivity: 'normal',
    responseStatus: { response: 'organizer' },
    iCalUId: '040000008200E000',
    ...more,
  });
  if (known === null || !known.ok) throw new Error('No event');
  return known.event;
}

function coreOf(more: Record<string, unknown>): Core {
  const { body } = read.single(event(more));
  if (body.kind !== 'single') throw new Error(body.kind);
  return body.core;
}

describe('single events', () => {
  it('an event keeps its time zone and its length to the second', () => {
    const item = read.single(event({ end: { dateTime: '2027-03-08T09:00:30.0000000', timeZone: 'UTC' } }));
    expect(item).toMatchObject({ ref: 'AAk1', uid: '040000008200E000', version: 'W/"one"', provenance: 'foreign' });
    expect(item.body).toMatchObject({
      when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 3_630 } },
    });
  });

  it('an all-day event is read by its dates, whatever zone they name', () => {
    const edge = (date: string) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'Tokyo Standard Time' });
    const { body } = read.single(event({ isAllDay: true, start: edge('2027-03-08'), end: edge('2027-03-10') }));
    expect(body).toMatchObject({ when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-10' } });
  });

  it.each([
    ['free', 'free'],
    ['tentative', 'tentative'],
    ['busy', 'busy'],
    ['oof', 'oof'],
    ['workingElsewhere', 'elsewhere'],
    ['unknown', 'unknown'],
    ['onTheMoon', 'unknown'],
    ['constructor', 'unknown'],
  ])('an event shown as %s is read as %s', (showAs, busy) => {
    expect(coreOf({ showAs }).busy).toBe(busy);
  });

  it.each([
    ['none', 'none'],
    ['organizer', 'organizer'],
    ['accepted', 'accepted'],
    ['tentativelyAccepted', 'tentative'],
    ['notResponded', 'needs-action'],
    ['declined', 'declined'],
  ])('an event answered with %s is read as %s', (response, self) => {
    expect(coreOf({ responseStatus: { response } }).self).toBe(self);
  });

  it.each([
    ['normal', false],
    ['personal', true],
    ['private', true],
    ['confidential', true],
  ])('an event of sensitivity %s is private: %s', (sensitivity, isPrivate) => {
    expect(coreOf({ sensitivity }).private).toBe(isPrivate);
  });

  it('a cancelled event or a draft takes no time and stays known', () => {
    for (const more of [{ isCancelled: true }, { isDraft: true }]) {
      expect(read.single(event(more)).body).toMatchObject({ kind: 'instances', list: {} });
    }
  });

  it('an event with an unreadable time is withheld', () => {
    const body = read.single(event({ start: { dateTime: 'soon', timeZone: 'UTC' } })).body;
    expect(body.kind).toBe('withheld');
  });

  it.each([
    ['an hour', {}, '2027-03-08T08:00:00', { duration: { seconds: 3_600 } }],
    ['a day', { isAllDay: true }, '2027-03-08', { end: '2027-03-09' }],
  ])('an event whose end cannot be read takes %s, with a warning', (_, more, start, when) => {
    const from = { dateTime: '2027-03-08T08:00:00.0000000', timeZone: 'UTC' };
    const item = read.single(event({ start: from, end: { dateTime: 'later', timeZone: 'UTC' }, ...more }));
    expect(item.body).toMatchObject({
      kind: 'single',
      when: { start: expect.stringContaining(start.slice(0, 10)), ...when },
    });
    expect(item.warnings).toEqual(['end-unreadable {"source":"later"}']);
  });

  it('attendees exclude the owner and rooms, the join link is read, and notes lose their markup', () => {
    const person = (name: string, address: string, response: string, type = 'required') => ({
      type,
      status: { response },
      emailAddress: { name, address },
    });
    const core = coreOf({
      attendees: [
        person('Alice', 'alice@contoso.example', 'accepted'),
        person('Bob', 'Bob@Fabrikam.example', 'declined'),
        person('Room 1', 'room1@contoso.example', 'accepted', 'resource'),
      ],
      organizer: { emailAddress: { name: 'Carol', address: 'carol@fabrikam.example' } },
      onlineMeeting: { joinUrl: 'https://teams.microsoft.com/l/meetup-join/1' },
      body: { contentType: 'text', content: 'Agenda\r\nOne\r\n\r\n' },
      location: { displayName: ' Room 1 ' },
      categories: ['Red category'],
    });
    expect(core).toMatchObject({
      attendees: [
        { email: 'bob@fabrikam.example', name: 'Bob', response: 'declined' },
        { email: 'carol@fabrikam.example', name: 'Carol', response: 'accepted' },
      ],
      joinUrl: 'https://teams.microsoft.com/l/meetup-join/1',
      notes: 'Agenda\nOne',
      location: 'Room 1',
      categories: ['Red category'],
    });
    expect(coreOf({ body: { contentType: 'html', content: '<p>x</p>' } }).notes).toBeUndefined();
  });
});

describe('mirrors', () => {
  const key = signer.keyOf({ targetCalendarId: 't', originCalendarId: 'o', originUid: 'u', recId: null });
  const identity = signer.identityUnder(key, 1);
  const transactionId = transactionIdOf(identity);

  it('a mirror is proven by its transactionId and read as it was written', () => {
    const mine = event({
      transactionId,
      sensitivity: 'private',
      categories: ['Mirror'],
      originalStartTimeZone: 'UTC',
      organizer: { emailAddress: { name: 'Alice', address: 'alice@contoso.example' } },
    });
    const item = read.single(mine);
    expect(item).toMatchObject({ uid: identity.uid, provenance: 'own' });
    expect(item.body).toEqual({
      kind: 'single',
      when: { kind: 'zoned', start: '2027-03-08T08:00:00', zone: 'UTC', duration: { seconds: 3_600 } },
      core: { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Meeting' },
    });
  });

  it.each([
    ['of another generation', transactionId.replace(':1:', ':2:')],
    ['of another key', transactionId.replace(key, key.split('').reverse().join(''))],
    ['without its tag', transactionId.split(':').slice(0, 3).join(':')],
    ['of another application', 'b7a1c0de-0000-4000-8000-000000000000'],
    ['that is none', ''],
  ])('an event with a transactionId %s is not taken for a mirror', (_, forged) => {
    expect(read.single(event({ transactionId: forged })).provenance).toBe('foreign');
  });
});

describe('series', () => {
  const recurrence = {
    pattern: {
      type: 'weekly',
      interval: 1,
      month: 0,
      dayOfMonth: 0,
      daysOfWeek: ['monday'],
      firstDayOfWeek: 'sunday',
      index: 'first',
    },
    range: {
      type: 'endDate',
      startDate: '2027-03-08',
      endDate: '2027-05-31',
      recurrenceTimeZone: 'W. Europe Standard Time',
      numberOfOccurrences: 0,
    },
  };
  const master = (more: Record<string, unknown> = {}) =>
    event({ type: 'seriesMaster', recurrence, cancelledOccurrences: [], exceptionOccurrences: [], ...more });
  const bodyOf = (more: Record<string, unknown> = {}) => read.series(master(more), window)?.body as Series | undefined;
  const exception = (more: Record<string, unknown> = {}) => ({
    ...event({ id: 'AAk2', type: 'exception', subject: 'Moved' }),
    originalStart: '2027-03-29T07:00:00Z',
    start: { dateTime: '2027-03-30T12:00:00.0000000', timeZone: 'UTC' },
    end: { dateTime: '2027-03-30T13:00:00.0000000', timeZone: 'UTC' },
    ...more,
  });

  it('a series ends at the last moment of its last day, in its own zone', () => {
    expect(bodyOf()).toMatchObject({
      when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'Europe/Berlin' },
      rules: ['FREQ=WEEKLY;UNTIL=20270531T215959Z'],
      exdates: [],
      overrides: {},
    });
  });

  it('a series names cancelled and changed instances by original start across a daylight saving change', () => {
    const body = bodyOf({
      cancelledOccurrences: ['OID.AAk1.2027-03-15', 'OID.AAk1.2027-04-05'],
      exceptionOccurrences: [
        exception(),
        exception({ id: 'AAk3', originalStart: '2027-03-22T08:00:00Z', isCancelled: true }),
      ],
    });
    expect(body?.exdates).toEqual(['20270315T080000Z', '20270322T080000Z', '20270405T070000Z']);
    expect(body?.overrides).toMatchObject({
      '20270329T070000Z': { when: { start: '2027-03-30T14:00:00', zone: 'Europe/Berlin' }, core: { title: 'Moved' } },
    });
  });

  it('a cancelled instance is matched by its local day, or by its UTC day if only that has an instance', () => {
    // 9:00 in Tokyo is midnight in UTC of the same day; 8:30 is the evening before.
    const tokyo = {
      originalStartTimeZone: 'Tokyo Standard Time',
      start: { dateTime: '2027-03-07T23:30:00.0000000', timeZone: 'UTC' },
      end: { dateTime: '2027-03-08T00:30:00.0000000', timeZone: 'UTC' },
      recurrence: { ...recurrence, range: { ...recurrence.range, recurrenceTimeZone: 'Tokyo Standard Time' } },
    };
    expect(bodyOf({ ...tokyo, cancelledOccurrences: ['OID.AAk1.2027-03-15'] })?.exdates).toEqual(['20270314T233000Z']);
    expect(bodyOf({ ...tokyo, cancelledOccurrences: ['OID.AAk1.2027-03-14'] })?.exdates).toEqual(['20270314T233000Z']);
  });

  describe('series over a daylight saving change', () => {
    const night = (first: string, length: number, more: Record<string, unknown> = {}) => {
      const start = Temporal.ZonedDateTime.from(`${first}T22:00[Europe/Berlin]`);
      const edge = (at: Temporal.ZonedDateTime) => ({
        dateTime: at.withTimeZone('UTC').toPlainDateTime().toString({ fractionalSecondDigits: 7 }),
        timeZone: 'UTC',
      });
      return {
        start: edge(start),
        end: edge(start.add({ hours: length })),
        recurrence: {
          pattern: { ...recurrence.pattern, daysOfWeek: ['saturday'] },
          range: { ...recurrence.range, type: 'noEnd', startDate: first },
        },
        ...more,
      };
    };
    const eight = { kind: 'zoned', zone: 'Europe/Berlin', duration: { seconds: 8 * 3_600 } };
    const changes = {
      '20270327T210000Z': { when: { ...eight, start: '2027-03-27T22:00:00', duration: { seconds: 7 * 3_600 } } },
      '20271030T200000Z': { when: { ...eight, start: '2027-10-30T22:00:00', duration: { seconds: 9 * 3_600 } } },
    };

    it('a series over a daylight saving night ends by the wall clock, one hour shorter or longer', () => {
      const body = bodyOf(night('2027-03-06', 8));
      expect(body).toMatchObject({ when: { ...eight, start: '2027-03-06T22:00:00' }, overrides: changes });
      expect(Object.keys(body?.overrides ?? {})).toHaveLength(2);
    });

    it('a series that begins in a daylight saving night has its usual length on all other days', () => {
      expect(bodyOf(night('2027-03-27', 7))).toMatchObject({ when: eight, overrides: changes });
      expect(bodyOf(night('2026-10-31', 8))).toMatchObject({ when: eight, overrides: changes });
      expect(bodyOf(night('2026-10-24', 9))).toMatchObject({ when: eight, overrides: changes });
    });

    it('a cancelled daylight saving night has no override, and each one in the window changes the version', () => {
      const cancelled = { cancelledOccurrences: ['OID.AAk1.2027-03-27'] };
      expect(Object.keys(bodyOf(night('2027-03-06', 8, cancelled))?.overrides ?? {})).toEqual(['20271030T200000Z']);
      const version = (toMs: number) => read.series(master(night('2027-03-06', 8)), { ...window, toMs })?.version;
      expect(version(Date.UTC(2027, 6, 1))).not.toBe(version(window.toMs));
      expect(version(Date.UTC(2027, 6, 1))).toBe(version(Date.UTC(2027, 7, 1)));
    });
  });

  it('an all-day series names its instances by their days', () => {
    const edge = (date: string) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'UTC' });
    const days = { isAllDay: true, start: edge('2027-03-08'), end: edge('2027-03-09') };
    for (const originalStart of ['2027-03-29T00:00:00Z', '2027-03-28T22:00:00Z']) {
      const moved = exception({ isAllDay: true, originalStart, start: edge('2027-03-30'), end: edge('2027-03-31') });
      const body = bodyOf({ ...days, cancelledOccurrences: ['OID.AAk1.2027-03-15'], exceptionOccurrences: [moved] });
      expect(body).toMatchObject({ rules: ['FREQ=WEEKLY;UNTIL=20270531'], exdates: ['20270315'] });
      expect(body?.overrides).toMatchObject({ '20270329': { when: { kind: 'all-day', start: '2027-03-30' } } });
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ['a pattern of tomorrow', { recurrence: { ...recurrence, pattern: { ...recurrence.pattern, type: 'lunar' } } }],
    [
      'a zone that only a desktop knows',
      { recurrence: { ...recurrence, range: { ...recurrence.range, recurrenceTimeZone: 'tzone://Microsoft/Custom' } } },
    ],
    ['a cancelled day without an instance', { cancelledOccurrences: ['OID.AAk1.2027-03-16'] }],
    ['a cancelled day in another form', { cancelledOccurrences: ['AAk1:15'] }],
    ['exceptions that were not told', { exceptionOccurrences: undefined }],
    ['cancelled instances that were not told', { cancelledOccurrences: undefined }],
    ['an exception without its original start', { exceptionOccurrences: [exception({ originalStart: null })] }],
    ['an exception without a name', { exceptionOccurrences: [{ subject: 'x' }] }],
  ])('a series with %s has to be read by its instances', (_, more) => {
    expect(read.series(master(more), window)).toBeNull();
  });

  it('a series read by its instances names them by original start and changes version with each', () => {
    const list = [
      event({ originalStart: '2027-03-08T08:00:00Z' }),
      event({ originalStart: '2027-03-15T08:00:00Z', subject: 'Other' }),
    ];
    const item = read.instances(master(), list, window);
    expect(item.body.kind === 'instances' ? Object.keys(item.body.list) : []).toEqual([
      '20270308T080000Z',
      '20270315T080000Z',
    ]);
    expect(read.instances(master(), list.slice(1), window).version).not.toBe(item.version);
  });

  it('a series has its etag as version, and another version with exceptions', () => {
    expect(read.series(master(), window)?.version).toBe('W/"one"');
    const version = read.series(master({ exceptionOccurrences: [exception()] }), window)?.version ?? '';
    expect(version).not.toBe('W/"one"');
    expect(etagOf(version)).toBe('W/"one"');
  });
});
