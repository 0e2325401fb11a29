import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CalendarId, MirrorId } from '#kernel/ids.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { LedgerModel } from '../../../../test/harness/ledger-model.ts';
import { ordinaryPair, ordinaryRow, plannedAtMs, timedBody } from '../../../../test/harness/mirror-subjects.ts';
import type { Desired, DesiredBlock, Pair, SkipReason } from './desired.ts';
import { type Action, countsForBreaker, type LedgerRow, planOrigin } from './plan.ts';

const targets = ['home', 'club', 'school'];
const names = ['', '20270302T090000Z', '20270303T090000Z', '20270304T090000Z'];
const hashes = ['hash 1', 'hash 2', 'hash 3'];

const block = (recId: string, hash: string): DesiredBlock => ({
  recId,
  hash,
  nearMs: 0,
  chars: 0,
  body: timedBody('2027-03-02T09:00:00', 3600) as DesiredBlock['body'],
});

const desired: fc.Arbitrary<Desired> = fc.oneof(
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...hashes)), {
      minLength: 1,
      selector: ([name]) => name,
    })
    .map((blocks) => ({ blocks: blocks.map(([name, hash]) => block(name, hash)), skipped: null, refused: new Map() })),
  fc
    .constantFrom<SkipReason>('gone', 'not-busy', 'hours', 'keyword')
    .map((skipped) => ({ blocks: [], skipped, refused: new Map() })),
);

const wanted = fc
  .tuple(fc.subarray(targets), fc.array(desired, { minLength: 3, maxLength: 3 }), fc.boolean())
  .map(([some, what, release]) =>
    some.map((target, n) => ({
      pair: ordinaryPair({ target, rule: { onUserEdit: release ? 'release' : 'restore' } }),
      desired: what[n] as Desired,
    })),
  );

const rows: fc.Arbitrary<LedgerRow[]> = fc
  .uniqueArray(
    fc.record({
      target: fc.constantFrom(...targets),
      recId: fc.constantFrom(...names),
      state: fc.constantFrom<LedgerRow['state']>('pending', 'created', 'created', 'failed', 'deleting', 'skipped'),
      reason: fc.constantFrom('opted-out', 'released', 'kept'),
      seen: fc.constantFrom<LedgerRow['seen']>(null, null, 'changed', 'gone'),
      hash: fc.constantFrom(...hashes),
      deletedHoursAgo: fc.option(fc.integer({ min: 0, max: 60 })),
      waits: fc.boolean(),
    }),
    { selector: ({ target, recId }) => `${target} ${recId}`, maxLength: 12 },
  )
  .map((list) =>
    list.map(({ target, recId, state, reason, seen, hash, deletedHoursAgo, waits }, n) =>
      ordinaryRow({
        id: `row ${n}` as MirrorId,
        targetCalendarId: target as CalendarId,
        recId,
        state,
        reason: state === 'skipped' ? reason : null,
        seen: state === 'skipped' ? null : seen,
        desiredHash: state === 'deleting' ? null : hash,
        userDeletedAtMs: deletedHoursAgo === null ? null : plannedAtMs - deletedHoursAgo * 3_600_000,
        waits,
      }),
    ),
  );

/** The ledger after a plan is stored. */
function carryOut(before: LedgerRow[], actions: Action[]): LedgerRow[] {
  const model = new LedgerModel();
  model.rows = before.map((row) => ({ ...row, desired: null, ref: null, appliedHash: null }));
  model.carryOut(actions);
  return model.rows;
}

/** The ledger after the writer ran. */
const written = (list: LedgerRow[]) =>
  list.flatMap((row) =>
    row.state === 'deleting' ? [] : [row.state === 'pending' ? { ...row, state: 'created' as const } : row],
  );

describe('mirror plans', () => {
  test('a plan that is made again after it was carried out is empty, before and after its writes', () => {
    fc.assert(
      fc.property(wanted, rows, (want, before) => {
        const intended = carryOut(before, planOrigin(want, before, plannedAtMs));
        expect(planOrigin(want, intended, plannedAtMs)).toEqual([]);
        const standing = written(intended);
        expect(planOrigin(want, standing, plannedAtMs)).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a plan leaves one mirror for each wanted name in each target, and no other managed mirror', () => {
    fc.assert(
      fc.property(wanted, rows, (want, before) => {
        const after = written(carryOut(before, planOrigin(want, before, plannedAtMs)));
        const managed = after
          .filter((row) => row.state !== 'skipped')
          .map((row) => `${row.targetCalendarId} ${row.recId} ${row.state === 'created' ? row.desiredHash : '-'}`);
        const mine = new Set(
          after.filter((row) => row.state === 'skipped').map((row) => `${row.targetCalendarId} ${row.recId}`),
        );
        const failed = new Set(
          after.filter((row) => row.state === 'failed').map((row) => `${row.targetCalendarId} ${row.recId}`),
        );
        const expected = want.flatMap(({ pair, desired: { blocks } }) =>
          blocks
            .filter((one) => !mine.has(`${pair.targetCalendarId} ${one.recId}`))
            .map((one) => {
              const name = `${pair.targetCalendarId} ${one.recId}`;
              return `${name} ${failed.has(name) ? '-' : one.hash}`;
            }),
        );
        expect(managed.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a plan changes each given row at most once, and inserts only into targets of a pair', () => {
    fc.assert(
      fc.property(wanted, rows, (want, before) => {
        const actions = planOrigin(want, before, plannedAtMs);
        const touched = actions.flatMap((action) => (action.do === 'insert' ? [] : [action.row]));
        expect(new Set(touched).size).toBe(touched.length);
        expect(touched.every((row) => before.includes(row))).toBe(true);
        const places = new Set(want.map(({ pair }) => pair.targetCalendarId));
        for (const action of actions) {
          if (action.do === 'insert') expect(places.has(action.targetCalendarId)).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('mirrors edited by their user', () => {
  const pair = (onUserEdit: 'restore' | 'release' = 'restore') => ordinaryPair({ rule: { onUserEdit } });
  const stands = (of: Pair) => [
    { pair: of, desired: { blocks: [block('', 'hash 1')], skipped: null, refused: new Map() } },
  ];
  const row = (more: Partial<LedgerRow>) => ordinaryRow({ desiredHash: 'hash 1', ...more });
  const hoursAgo = (hours: number) => plannedAtMs - hours * 3_600_000;
  const planned = (of: Pair, one: LedgerRow) =>
    planOrigin(stands(of), [one], plannedAtMs).map((action) =>
      action.do === 'release' ? `release ${action.reason}` : action.do,
    );

  test.each<[string, Partial<LedgerRow>, 'restore' | 'release', string[]]>([
    ['nothing', {}, 'restore', []],
    ['changed it', { seen: 'changed' }, 'restore', ['restore']],
    ['changed it, and may', { seen: 'changed' }, 'release', ['release released']],
    ['deleted it', { seen: 'gone' }, 'restore', ['recreate']],
    ['deleted it twice in a day', { seen: 'gone', userDeletedAtMs: hoursAgo(23) }, 'restore', ['release opted-out']],
    [
      'did not do: we removed it before it was wanted again',
      { seen: 'gone', removalTried: true },
      'restore',
      ['renew'],
    ],
    [
      'deleted once, and we another time',
      { seen: 'gone', removalTried: true, userDeletedAtMs: hoursAgo(1) },
      'restore',
      ['renew'],
    ],
    ['deleted it again after a day', { seen: 'gone', userDeletedAtMs: hoursAgo(24) }, 'restore', ['recreate']],
    ['deleted it for good', { state: 'skipped', reason: 'opted-out' }, 'restore', []],
    ['took it over', { state: 'skipped', reason: 'released' }, 'restore', []],
    ['kept it when its origin went, which is back', { state: 'skipped', reason: 'kept' }, 'restore', ['write']],
    [
      'deleted what is being removed, and it is wanted again',
      { state: 'deleting', seen: 'gone' },
      'restore',
      ['write'],
    ],
  ])('a mirror is planned by what its user did: %s', (_, one, onUserEdit, actions) => {
    expect(planned(pair(onUserEdit), row(one))).toEqual(actions);
  });

  test('an unwanted mirror is forgotten if its user deleted it, and kept if its user took it over', () => {
    const gone = (one: Partial<LedgerRow>) => planOrigin([], [row(one)], plannedAtMs).map((action) => action.do);
    expect(gone({})).toEqual(['remove']);
    expect(gone({ seen: 'gone' })).toEqual(['forget']);
    expect(gone({ state: 'skipped', reason: 'opted-out' })).toEqual(['forget']);
    expect(gone({ state: 'skipped', reason: 'released' })).toEqual([]);
    expect(gone({ state: 'deleting' })).toEqual([]);
  });
});

describe('reasons to remove a mirror', () => {
  const reasonOf = (one: Partial<LedgerRow>, what: Partial<Desired>, pairs = true) => {
    const want: Desired = { blocks: [], skipped: null, refused: new Map(), ...what };
    const actions = planOrigin(pairs ? [{ pair: ordinaryPair(), desired: want }] : [], [ordinaryRow(one)], plannedAtMs);
    const [action] = actions.filter((each) => each.do === 'remove');
    return action?.do === 'remove' ? `${action.reason}${countsForBreaker(action.reason) ? ', counts' : ''}` : null;
  };
  const whole = { blocks: [block('', 'hash')] };
  const other = { blocks: [block('20270310T090000Z', 'hash')] };
  const name = '20270305T090000Z';

  test.each<[string, Partial<LedgerRow>, Partial<Desired>, string]>([
    ['its event is gone', {}, { skipped: 'gone' }, 'gone, counts'],
    ['its event takes no time any more', {}, { skipped: 'not-busy' }, 'not-busy, counts'],
    ['its owner left it out by a word', {}, { skipped: 'keyword' }, 'keyword'],
    ['its instance is gone', { recId: name }, other, 'instance, counts'],
    [
      'its instance is left out by the rule',
      { recId: name },
      { ...other, refused: new Map([[name, 'hours' as const]]) },
      'hours',
    ],
    ['the day of its instance is past', { recId: '20270101T090000Z' }, other, 'out-of-window'],
    ['a series stands where there were instances', { recId: name }, whole, 'shape'],
    ['instances stand where there was a series', {}, other, 'shape'],
  ])('a mirror is removed with the right reason when %s', (_, one, what, reason) => {
    expect(reasonOf(one, what)).toBe(reason);
  });

  test('a mirror stays when its event cannot be read any more', () => {
    expect(reasonOf({}, { skipped: 'not-understood' })).toBeNull();
  });

  test('a mirror that no rule wants is removed because of the rule', () => {
    expect(reasonOf({}, {}, false)).toBe('rule');
  });
});
