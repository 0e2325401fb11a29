import { describe, expect, test } from 'vitest';
import type { Core, EventBody, Series, When } from '#kernel/event.ts';
import type { ItemId } from '#kernel/ids.ts';
import {
  ordinaryCore,
  ordinaryOrigin,
  ordinaryPair,
  type PairMore,
  plannedAtMs,
  seriesShapes,
  timedBody,
} from '../../../../test/harness/mirror-subjects.ts';
import { desiredBlocks, type Origin, roomAmong } from './desired.ts';
import type { MirrorRule } from './mirror-rule.ts';

const wanted = (origin: Partial<Origin>, pair: PairMore = {}) =>
  desiredBlocks(ordinaryOrigin(origin), ordinaryPair(pair), plannedAtMs);
const withRule = (body: EventBody, rule: Partial<MirrorRule>) => wanted({ body }, { rule });
const allDay = (start: string, end: string, more: Partial<Core> = {}): EventBody => ({
  kind: 'single',
  when: { kind: 'all-day', start, end },
  core: ordinaryCore(more),
});
const daily = (when: When, more: Partial<Series> = {}): Series => ({
  kind: 'series',
  when,
  core: ordinaryCore(),
  rules: ['FREQ=DAILY'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
  ...more,
});
const nine: When = { kind: 'zoned', start: '2027-03-01T09:00:00', zone: 'UTC', duration: { seconds: 3600 } };
const starts = (desired: ReturnType<typeof wanted>) => desired.blocks.map((block) => block.body.when.start);

describe('dense events', () => {
  const hourly = (count: number, notes: string): Series => ({
    ...daily({ kind: 'zoned', start: '2027-03-02T09:00:00', zone: 'UTC', duration: { seconds: 900 } }),
    core: ordinaryCore({ notes }),
    rules: [`FREQ=HOURLY;COUNT=${count}`],
  });
  const details = { privacy: 'details' } as const;

  test('an event with more dates than its room in a target has no block there, and one that fits has all', () => {
    const room = { blocks: 100, chars: 1_000_000 };
    expect(wanted({ body: hourly(101, '') }, { room })).toEqual({
      blocks: [],
      skipped: 'too-dense',
      refused: new Map(),
    });
    expect(wanted({ body: hourly(100, '') }, { room }).blocks).toHaveLength(100);
  });

  test('blocks with more text than their room have no description, and there is none where the title is too much as well', () => {
    const body = hourly(50, 'n'.repeat(30_000));
    const room = { blocks: 1_000, chars: 1_000_000 };
    const bare = wanted({ body }, { room, rule: details });
    expect(bare.blocks.map((block) => block.body.core.notes)).toEqual(Array.from({ length: 50 }));
    expect(
      wanted({ body }, { room: { blocks: 1_000, chars: 2_000_000 }, rule: details }).blocks[49]?.body.core.notes,
    ).toBe('n'.repeat(30_000));
    expect(wanted({ body }, { room: { blocks: 1_000, chars: 5_000 }, rule: details })).toMatchObject({
      blocks: [],
      skipped: 'too-dense',
    });
  });

  test('the room of an event covers all targets together', () => {
    const of19 = roomAmong(19);
    expect(of19.blocks * 19).toBeLessThanOrEqual(roomAmong(1).blocks);
    expect(of19.chars * 19).toBeLessThanOrEqual(roomAmong(1).chars);
    // a daily event over the whole window, with an ordinary invitation
    const body: Series = { ...daily(nine), core: ordinaryCore({ notes: 'n'.repeat(4_000) }) };
    const rule: Partial<MirrorRule> = { ...details, pastDays: 365, futureDays: 730, hours: null };
    const pair: PairMore = { rule, series: 'expanded', room: roomAmong(19) };
    expect(wanted({ body }, pair).skipped).toBeNull();
  });

  test('blocks of one event share its details', () => {
    const { blocks } = wanted({ body: hourly(3, 'agenda') }, { rule: details });
    expect(blocks).toHaveLength(3);
    expect(blocks[0]?.body.core.notes).toBe('agenda');
    for (const block of blocks) expect(block.body.core).toBe(blocks[0]?.body.core);
  });
});

describe('reasons against a mirror', () => {
  test.each<[string, Partial<Origin>, PairMore, string]>([
    ['what is gone', { gone: true }, {}, 'gone'],
    ['a block of our own', { own: true }, {}, 'gone'],
    ['what could not be read', { body: { kind: 'withheld', reason: 'no DTSTART' } }, {}, 'not-understood'],
    ['a rule that is too dense', { tooDense: true }, {}, 'too-dense'],
    ['what its owner declined', { body: timedBody('2027-03-02T15:00:00', 3600, { self: 'declined' }) }, {}, 'not-busy'],
    ['what is shown as free', { body: timedBody('2027-03-02T15:00:00', 3600, { busy: 'free' }) }, {}, 'not-busy'],
    ['a hold of its person’s', { body: timedBody('2027-03-02T15:00:00', 3600) }, { holdRank: () => 4 }, 'not-busy'],
    [
      'what was made as a hold here',
      { body: timedBody('2027-03-02T15:00:00', 3600), itemId: 'kept' as ItemId },
      { made: new Map([['kept', 4]]) },
      'not-busy',
    ],
    ['what has no length', { body: timedBody('2027-03-02T15:00:00', 0) }, {}, 'not-busy'],
    ['what was over before the window', { body: timedBody('2027-02-20T15:00:00', 3600) }, {}, 'out-of-window'],
    ['what comes after the window', { body: timedBody('2027-12-20T15:00:00', 3600) }, {}, 'out-of-window'],
    [
      'all-day, where the rule skips it',
      { body: allDay('2027-03-03', '2027-03-04') },
      { rule: { allDay: 'skip' } },
      'all-day',
    ],
    [
      'what the target is invited to itself',
      { body: timedBody('2027-03-02T15:00:00', 3600, { attendees: [{ email: 'ME@Other.example' }] }) },
      { targetAddresses: ['me@other.example'], rule: { skipIfTargetInvited: true } },
      'target-invited',
    ],
  ])('a mirror is never planned for %s', (_, origin, pair, reason) => {
    expect(wanted(origin, pair)).toMatchObject({ blocks: [], skipped: reason });
  });

  test('an invitation of the target account prevents a mirror only when the rule says so', () => {
    const body = timedBody('2027-03-02T15:00:00', 3600, { attendees: [{ email: 'me@other.example' }] });
    expect(wanted({ body }, { targetAddresses: ['me@other.example'] }).blocks).toHaveLength(1);
  });

  test('a series that is too dense has no mirrors, in any shape', () => {
    const body = daily(nine, { rules: ['FREQ=MINUTELY'] });
    for (const series of seriesShapes) {
      expect(wanted({ body }, { series })).toMatchObject({ blocks: [], skipped: 'too-dense' });
    }
  });
});

describe('keywords of a rule', () => {
  const at = (title: string, notes = '') => timedBody('2027-03-02T15:00:00', 3600, { title, notes });
  test.each<[string, string, Partial<MirrorRule>, boolean]>([
    ['Gym', '', {}, true],
    ['Gym #nosync', '', {}, false],
    ['Gym', 'please #NoSync this', {}, false],
    ['Gym', '', { includeKeywords: ['gym'] }, true],
    ['Lunch', 'after gym', { includeKeywords: ['gym'] }, false],
    ['Lunch', '', { excludeKeywords: ['LUNCH'] }, false],
    ['Gym and lunch', '', { includeKeywords: ['gym'], excludeKeywords: ['lunch'] }, false],
    ['Gym #nosync', '', { includeKeywords: ['gym'] }, false],
  ])('an event %j with notes %j follows the keywords of the rule %j', (title, notes, rule, stands) => {
    const desired = withRule(at(title, notes), rule);
    expect(desired).toMatchObject(stands ? { skipped: null } : { blocks: [], skipped: 'keyword' });
  });

  test('one instance of a series may opt out with #nosync', () => {
    const body = daily(nine, {
      rules: ['FREQ=DAILY;COUNT=3'],
      overrides: {
        '20270302T090000Z': {
          when: { ...nine, start: '2027-03-02T09:00:00' },
          core: ordinaryCore({ title: '#nosync' }),
        },
      },
    });
    const [block] = wanted({ body }).blocks;
    expect(block?.body).toMatchObject({ exdates: ['20270302T090000Z'], overrides: {} });
    expect(starts(wanted({ body }, { series: 'expanded' }))).toEqual(['2027-03-01T09:00:00', '2027-03-03T09:00:00']);
  });
});

describe('events of a rule', () => {
  test('a rule for all events includes free events, but no declined ones', () => {
    const free = timedBody('2027-03-02T15:00:00', 3600, { busy: 'free' });
    const declined = timedBody('2027-03-02T15:00:00', 3600, { self: 'declined' });
    expect(withRule(free, { events: 'all' }).blocks).toHaveLength(1);
    expect(withRule(declined, { events: 'all' }).blocks).toHaveLength(0);
  });

  test('the busy instances of a free series are mirrored', () => {
    const body = daily(nine, {
      core: ordinaryCore({ busy: 'free' }),
      overrides: { '20270303T090000Z': { when: { ...nine, start: '2027-03-03T11:00:00' }, core: ordinaryCore() } },
    });
    const { blocks } = wanted({ body });
    expect(blocks.map((block) => [block.recId, block.body.when.start])).toEqual([
      ['20270303T090000Z', '2027-03-03T11:00:00'],
    ]);
  });
});

describe('hours of a rule', () => {
  const weekdays = [1, 2, 3, 4, 5];
  const office = { start: '09:00', end: '17:00', weekdays, zone: 'America/New_York' };

  test('an event that touches the hours of a rule is mirrored whole, and any other event not at all', () => {
    const before = timedBody('2027-03-02T12:00:00', 7_200); // 07:00 to 09:00 in New York: touches nothing
    const across = timedBody('2027-03-02T12:00:00', 7_260);
    expect(withRule(before, { hours: office })).toMatchObject({ blocks: [], skipped: 'hours' });
    expect(withRule(across, { hours: office }).blocks[0]?.body.when).toMatchObject({ duration: { seconds: 7_260 } });
    expect(withRule(timedBody('2027-03-06T15:00:00', 3600), { hours: office }).skipped).toBe('hours'); // a Saturday
  });

  test('a series under a rule with hours is mirrored by instance, each judged in local time', () => {
    // 13:30 UTC is 08:30 in New York until 13 March 2027, and 09:30 from then on
    const body = daily(
      { ...nine, start: '2027-03-10T13:30:00', duration: { seconds: 1_800 } },
      { rules: ['FREQ=DAILY;COUNT=8'] },
    );
    expect(starts(withRule(body, { hours: office }))).toEqual([
      '2027-03-15T13:30:00',
      '2027-03-16T13:30:00',
      '2027-03-17T13:30:00',
    ]);
  });

  test('an all-day event becomes one mirror over the hours, or keeps its days under a rule without hours', () => {
    const trip = allDay('2027-03-12', '2027-03-16'); // Friday to Monday, over the change to summer time
    const [block] = withRule(trip, { allDay: 'busy-hours', hours: office }).blocks;
    expect(block?.body.when).toEqual({
      kind: 'zoned',
      start: '2027-03-12T14:00:00',
      zone: 'UTC',
      duration: { seconds: (3 * 24 + 8 - 1) * 3600 },
    });
    expect(withRule(trip, { allDay: 'busy-hours' }).blocks[0]?.body.when).toMatchObject({ kind: 'all-day' });
    const weekend = allDay('2027-03-13', '2027-03-15');
    expect(withRule(weekend, { allDay: 'busy-hours', hours: office }).skipped).toBe('hours');
  });
});

describe('window of a rule', () => {
  // the owner's days, in Berlin: from 28 February 00:00 to the end of 2 March
  const rule = { pastDays: 1, futureDays: 1 };
  test.each([
    ['2027-02-27T22:00:00', 3600, false], // ends as the window opens
    ['2027-02-27T22:00:00', 3601, true],
    ['2027-03-02T22:59:59', 60, true],
    ['2027-03-02T23:00:00', 60, false], // begins as it closes
  ])('an event from %s for %i s is inside the window of the rule: %s', (start, seconds, inside) => {
    expect(withRule(timedBody(start, seconds), rule).blocks).toHaveLength(inside ? 1 : 0);
  });

  test('a series is mirrored while one instance is in the window, and expanded mirrors end with the window', () => {
    expect(wanted({ body: daily(nine) }, { rule }).blocks).toHaveLength(1);
    expect(starts(wanted({ body: daily(nine) }, { rule, series: 'expanded' }))).toEqual([
      '2027-03-01T09:00:00',
      '2027-03-02T09:00:00',
    ]);
    const over = daily({ ...nine, start: '2027-02-01T09:00:00' }, { rules: ['FREQ=DAILY;COUNT=5'] });
    expect(wanted({ body: over }, { rule }).skipped).toBe('out-of-window');
  });
});

describe('written mirrors', () => {
  test('a floating time is mirrored in the zone of its calendar', () => {
    const when: When = { kind: 'floating', start: '2027-03-02T09:00:00', duration: { seconds: 3600 } };
    const single: EventBody = { kind: 'single', when, core: ordinaryCore() };
    expect(wanted({ body: single }).blocks[0]?.body.when).toMatchObject({ start: '2027-03-02T14:00:00', zone: 'UTC' });
    // from 22:00 EST to 09:00 EDT
    const night: When = { kind: 'floating', start: '2027-03-13T22:00:00', duration: { wallSeconds: 39_600 } };
    expect(wanted({ body: { ...single, when: night } }).blocks[0]?.body.when).toEqual({
      kind: 'zoned',
      start: '2027-03-14T03:00:00',
      zone: 'UTC',
      duration: { seconds: 36_000 },
    });
    expect(wanted({ body: daily(night) }).blocks[0]?.body.when).toEqual({
      kind: 'zoned',
      start: '2027-03-13T22:00:00',
      zone: 'America/New_York',
      duration: { seconds: 36_000 },
    });
    const body = daily(when, { exdates: ['20270303T090000'] });
    expect(wanted({ body }).blocks[0]?.body).toMatchObject({
      when: { kind: 'zoned', start: '2027-03-02T09:00:00', zone: 'America/New_York' },
      exdates: ['20270303T140000Z'],
    });
  });

  test('a moved instance keeps its recurrence id, so that its mirror is moved and not recreated', () => {
    const moved = daily(nine, {
      rules: ['FREQ=DAILY;COUNT=2'],
      overrides: { '20270302T090000Z': { when: { ...nine, start: '2027-03-05T18:00:00' }, core: ordinaryCore() } },
    });
    const { blocks } = wanted({ body: moved }, { series: 'expanded' });
    expect(blocks.map((block) => [block.recId, block.body.when.start])).toEqual([
      ['20270301T090000Z', '2027-03-01T09:00:00'],
      ['20270302T090000Z', '2027-03-05T18:00:00'],
    ]);
  });

  test('mirrors of current and coming events come before past ones, the nearest first', () => {
    const near = (start: string) => wanted({ body: timedBody(start, 3600) }).blocks[0]?.nearMs ?? -1;
    expect(near('2027-03-01T08:30:00')).toBe(0);
    expect(near('2027-03-01T10:00:00')).toBe(3_600_000);
    expect(near('2027-03-01T07:00:00')).toBeGreaterThan(near('2027-08-20T07:00:00'));
  });
});
