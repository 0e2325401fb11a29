import { describe, expect, test } from 'vitest';
import type { Series, SplitSeries, When } from '#kernel/event.ts';
import { fixedZone } from '#kernel/time/event-zone.ts';
import { LedgerModel } from '../../../../test/harness/ledger-model.ts';
import {
  ordinaryCore,
  ordinaryOrigin,
  ordinaryPair,
  type PairMore,
  plannedAtMs,
} from '../../../../test/harness/mirror-subjects.ts';
import { desiredBlocks } from './desired.ts';
import { planOrigin } from './plan.ts';
import { shapeIn } from './series-shape.ts';

const nine: When = { kind: 'zoned', start: '2027-03-01T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 3600 } };
const standup = (more: Partial<Series> = {}): Series => ({
  kind: 'series',
  when: nine,
  core: ordinaryCore(),
  rules: ['FREQ=WEEKLY;BYDAY=MO,WE'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
  ...more,
});
const wednesday = '20270303T080000Z';
const moved = (start: string, title = 'Review') => ({
  [wednesday]: { when: { ...nine, start }, core: ordinaryCore({ title }) },
});
const blocksOf = (body: Series, pair: PairMore = { series: 'punch-out' }) =>
  desiredBlocks(ordinaryOrigin({ body }), ordinaryPair(pair), plannedAtMs).blocks;

describe('shape of a mirrored series', () => {
  const office = { start: '09:00', end: '17:00', weekdays: [1, 2, 3, 4, 5], zone: 'Europe/Berlin' };
  const skipped: When = { ...nine, start: '2027-03-28T02:30:00' };
  const doubled: When = { ...nine, start: '2027-10-31T02:30:00' };
  const days: When = { kind: 'all-day', start: '2027-03-01', end: '2027-03-02' };

  test.each<[string, Partial<Series>, PairMore, 'its target’s way' | 'instance by instance']>([
    ['with one rule and exceptions', { overrides: moved('2027-03-03T11:00:00') }, {}, 'its target’s way'],
    ['with extra dates', { extraDates: [{ start: '2027-03-05T09:00:00' }] }, {}, 'its target’s way'],
    [
      'with an extra date of another length',
      { extraDates: [{ start: '2027-03-05T09:00:00', duration: { seconds: 60 } }] },
      {},
      'instance by instance',
    ],
    ['with two rules', { rules: ['FREQ=WEEKLY', 'FREQ=MONTHLY'] }, {}, 'instance by instance'],
    ['every six hours', { rules: ['FREQ=HOURLY;INTERVAL=6'] }, {}, 'instance by instance'],
    ['twice a day', { rules: ['FREQ=DAILY;BYHOUR=9,15'] }, {}, 'instance by instance'],
    ['in a zone nobody knows', { when: { ...nine, zone: 'Mars/Olympus' } }, {}, 'instance by instance'],
    ['from a time that the clocks leave out', { when: skipped }, {}, 'instance by instance'],
    ['from the hour that comes twice', { when: doubled }, {}, 'its target’s way'],
    ['in a zone that has no name', { when: { ...nine, zone: fixedZone(5_400_000).id } }, {}, 'instance by instance'],
    ['under a rule with hours', {}, { rule: { hours: office } }, 'instance by instance'],
    ['all day, under a rule of busy hours', { when: days }, { rule: { allDay: 'busy-hours' } }, 'instance by instance'],
    ['all day', { when: days }, {}, 'its target’s way'],
  ])('a series %s is mirrored in the right shape', (_, body, pair, how) => {
    for (const series of ['native', 'punch-out'] as const) {
      const shape = shapeIn(standup(body), ordinaryPair({ ...pair, series }));
      expect(shape).toBe(how === 'instance by instance' ? 'expanded' : series);
    }
    expect(shapeIn(standup(body), ordinaryPair({ ...pair, series: 'expanded' }))).toBe('expanded');
  });

  test('an expanded series is mirrored for 400 days, however far its rule looks', () => {
    const endless = standup({ rules: ['FREQ=DAILY'] });
    const blocks = blocksOf(endless, { series: 'expanded', rule: { pastDays: 0, futureDays: 730 } });
    expect(blocks).toHaveLength(401); // today and 400 days
    expect(blocks.at(-1)?.body.when.start).toBe('2028-04-04T07:00:00');
    expect(blocksOf(endless, { series: 'expanded', rule: { pastDays: 0, futureDays: 30 } })).toHaveLength(31);
  });
});

test('blocks of a series in a zone without a name are at its instants', () => {
  const body = standup({ when: { ...nine, zone: fixedZone(5_400_000).id }, rules: ['FREQ=DAILY;COUNT=2'] });
  expect(blocksOf(body).map((block) => block.body.when)).toEqual([
    { kind: 'zoned', start: '2027-03-01T07:30:00', zone: 'UTC', duration: { seconds: 3600 } },
    { kind: 'zoned', start: '2027-03-02T07:30:00', zone: 'UTC', duration: { seconds: 3600 } },
  ]);
});

describe('exceptions beside a mirrored series', () => {
  test('a moved instance is mirrored beside its series and excluded from it', () => {
    const [whole, single] = blocksOf(standup({ overrides: moved('2027-03-04T11:00:00') }));
    expect(whole?.body).toMatchObject({ kind: 'series', exdates: [wednesday], overrides: {} });
    expect(single).toMatchObject({
      recId: wednesday,
      body: { kind: 'single', when: { start: '2027-03-04T10:00:00' } },
    });
  });

  test('an exception that differs in nothing a mirror shows stays in the series and costs no write', () => {
    const body = standup({ overrides: moved('2027-03-03T09:00:00', 'Another title') });
    expect(blocksOf(body).map((block) => block.recId)).toEqual(['']);
    expect(blocksOf(body)).toEqual(blocksOf(standup()));
    const titles = blocksOf(body, { series: 'punch-out', rule: { privacy: 'title', titleTemplate: '{title}' } });
    expect(titles.map((block) => block.body.core.title)).toEqual(['Review', 'Another title']);
  });

  test('an instance that the rule leaves out is excluded from the series and has no mirror', () => {
    const body = standup({ overrides: moved('2027-03-03T09:00:00', 'Dentist #nosync') });
    const [whole, ...others] = blocksOf(body);
    expect(whole?.body).toMatchObject({ exdates: [wednesday] });
    expect(others).toEqual([]);
  });

  test('an override that matches no instance of the recurrence rule has its own mirror', () => {
    const tuesday = { '20270302T080000Z': { when: { ...nine, start: '2027-03-02T09:00:00' }, core: ordinaryCore() } };
    expect(blocksOf(standup({ overrides: tuesday })).map((block) => block.recId)).toEqual(['', '20270302T080000Z']);
  });

  test('a series whose instances in the window are all changed is mirrored only as those instances', () => {
    const body = standup({
      rules: ['FREQ=DAILY;COUNT=1'],
      overrides: { '20270301T080000Z': moved('2027-03-02T09:00:00')[wednesday] as never },
    });
    expect(blocksOf(body).map((block) => block.recId)).toEqual(['20270301T080000Z']);
  });
});

test('a second move of an instance is one write, in every shape', () => {
  for (const series of ['native', 'punch-out', 'expanded'] as const) {
    const pair = ordinaryPair({ series });
    const model = new LedgerModel();
    const plan = (body: Series) => {
      const desired = desiredBlocks(ordinaryOrigin({ body }), pair, plannedAtMs);
      const actions = planOrigin([{ pair, desired }], model.rows, plannedAtMs);
      model.carryOut(actions);
      for (const row of model.listDue()) model.call(row, false);
      for (const row of model.listDue()) model.call(row, false);
      return actions.map((action) => action.do);
    };
    plan(standup({ overrides: moved('2027-03-04T11:00:00') }));
    expect(plan(standup({ overrides: moved('2027-03-05T12:00:00') })), series).toEqual(['write']);
    expect(plan(standup({ overrides: moved('2027-03-05T12:00:00') })), series).toEqual([]);
  }
});

test('a moved instance that leaves the window is removed as out of window, not as deleted', () => {
  const body = standup({ overrides: moved('2027-03-08T11:00:00') });
  const planned = (series: 'punch-out' | 'expanded', at: string) => {
    const model = new LedgerModel();
    const plan = (nowMs: number) => {
      const pair = ordinaryPair({ series, nowMs });
      const desired = desiredBlocks(ordinaryOrigin({ body }), pair, nowMs);
      const actions = planOrigin([{ pair, desired }], model.rows, nowMs);
      model.carryOut(actions);
      return actions;
    };
    plan(plannedAtMs);
    const nowMs = Temporal.Instant.from(at).epochMilliseconds;
    return plan(nowMs).flatMap((action) => (action.do === 'remove' ? [`${action.row.recId} ${action.reason}`] : []));
  };
  expect(planned('punch-out', '2027-03-09T09:00:00Z')).toEqual([]);
  expect(planned('punch-out', '2027-03-10T09:00:00Z')).toEqual([`${wednesday} out-of-window`]);
  // its name is of a day that the window has left, its block stands where it was moved to
  expect(planned('expanded', '2027-03-06T09:00:00Z')).toEqual(['20270301T080000Z out-of-window']);
});

test('a series with a change of this and all following is mirrored instance by instance at every target', () => {
  const change = { when: { ...nine, start: '2027-03-08T11:00:00' }, core: ordinaryCore({ title: 'Review' }) };
  const body: SplitSeries = {
    kind: 'split',
    series: standup({ rules: ['FREQ=WEEKLY;COUNT=3'] }),
    changes: [{ from: '20270308T080000Z', to: change }],
  };
  for (const series of ['native', 'punch-out', 'expanded'] as const) {
    const pair = ordinaryPair({ series, rule: { pastDays: 30 } });
    const { blocks } = desiredBlocks(ordinaryOrigin({ body }), pair, plannedAtMs);
    expect(blocks.map((block) => [block.recId, block.body.kind, block.body.when.start])).toEqual([
      ['20270301T080000Z', 'single', '2027-03-01T08:00:00'],
      ['20270308T080000Z', 'single', '2027-03-08T10:00:00'],
      ['20270315T080000Z', 'single', '2027-03-15T10:00:00'],
    ]);
  }
});
