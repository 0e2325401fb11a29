import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PlannedItem } from '#features/calendar/public.ts';
import { defaultSettings } from '#features/sync/rules/sync-settings.ts';
import type { CalendarId, ConnectionId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import { withoutPause } from '#kernel/work-budget.ts';
import { ordinaryPair, ordinaryRow, plannedAtMs, sourceId, timedBody } from '../../../test/harness/mirror-subjects.ts';
import type { Pairs, RuledPair, World } from './load-world.ts';
import { originUidOf, type PlannedOrigin, planItems } from './plan-items.ts';
import type { LedgerRow } from './rules/plan.ts';

vi.setConfig({ testTimeout: 60_000 });

const targets = ['home', 'club'];
const world: World = {
  userId: 'person' as UserId,
  zone: 'UTC',
  nowMs: plannedAtMs,
  holdRules: [],
  settings: defaultSettings,
  groups: [],
  members: [],
  pairs: [],
  calendars: new Map(),
  connections: new Map(),
};

function pairsTo(some: string[], suspended: string[] = []): Pairs {
  const list = some.map(
    (target): RuledPair => ({
      ...ordinaryPair({ target }),
      targetConnectionId: target as ConnectionId,
      groupId: 'group' as RuledPair['groupId'],
      sourceCalendarId: sourceId,
      row: null,
    }),
  );
  return {
    ofSource: (id) => (id === sourceId ? list : []),
    find: (source, target) =>
      source === sourceId ? (list.find((pair) => pair.targetCalendarId === target) ?? null) : null,
    isSuspended: (target) => suspended.includes(target),
  };
}

describe('dense events', () => {
  const dense = (id: string): PlannedItem => ({
    id: id as ItemId,
    calendarId: sourceId,
    ref: id,
    uid: id,
    body: {
      kind: 'series',
      when: { kind: 'zoned', start: '2027-03-02T09:00:00', zone: 'UTC', duration: { seconds: 900 } },
      core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Dense', notes: 'agenda' },
      rules: ['FREQ=HOURLY;COUNT=200'],
      exRules: [],
      extraDates: [],
      exdates: [],
      overrides: {},
    },
    problem: null,
    startsMs: null,
    endsMs: null,
    gone: false,
    own: false,
    change: 1,
  });
  const insertsOf = ({ actions }: PlannedOrigin) => actions.flatMap((one) => (one.do === 'insert' ? [one] : []));

  test('targets with one rule share the blocks of a series, and the planning pauses between them', () => {
    const work = planItems(world, pairsTo(['home', 'club']), [dense('a')], [], new Set(), 10_000);
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    const [plan] = step.value;
    const inserts = insertsOf(plan as PlannedOrigin);
    const blocksIn = (target: string) =>
      inserts.filter(({ targetCalendarId }) => targetCalendarId === target).map(({ block }) => block);
    expect(blocksIn('home')).toHaveLength(200);
    expect(blocksIn('club')).toEqual(blocksIn('home'));
    for (const [at, block] of blocksIn('club').entries()) expect(block).toBe(blocksIn('home')[at]);
    expect(pauses).toBeGreaterThan(200);
  });

  test('a turn ends after the event that fills it, and the others are left', () => {
    const items = ['a', 'b', 'c'].map(dense);
    const planned = (most: number) =>
      withoutPause(planItems(world, pairsTo(targets), items, [], new Set(), most)).map(({ item }) => item.ref);
    expect(planned(1)).toEqual(['a']);
    expect(planned(400)).toEqual(['a']);
    expect(planned(401)).toEqual(['a', 'b']);
    expect(planned(10_000)).toEqual(['a', 'b', 'c']);
  });

  test('an event that becomes too dense keeps the blocks it has', () => {
    const item = dense('a');
    const [first] = withoutPause(planItems(world, pairsTo(['home']), [item], [], new Set(), 10_000));
    const rows = insertsOf(first as PlannedOrigin).map(({ targetCalendarId, block }, at) =>
      ordinaryRow({
        id: `row ${at}` as MirrorId,
        originItemId: item.id,
        originUid: 'a',
        recId: block.recId,
        targetCalendarId,
        desiredHash: block.hash,
      }),
    );
    const tooDense = { ...item, problem: 'too dense' };
    const [plan] = withoutPause(planItems(world, pairsTo(['home']), [tooDense], rows, new Set(), 10_000));
    expect(plan?.actions).toEqual([]);
  });
});

/** Events of one calendar and the ledger of their blocks, as the store keeps them: the planner runs over it. */
class Model {
  items = new Map<ItemId, PlannedItem>();
  ledger: LedgerRow[] = [];
  unplanned = new Set<ItemId>();
  #ids = 0;

  #nextId(): string {
    this.#ids += 1;
    return String(this.#ids).padStart(4, '0');
  }

  put(ref: string, uid: string, hour: number): void {
    const held = [...this.items.values()].find((item) => item.ref === ref);
    const id = held?.id ?? (`item ${this.#nextId()}` as ItemId);
    this.items.set(id, {
      id,
      calendarId: sourceId,
      ref,
      uid,
      body: timedBody(`2027-03-02T${String(hour).padStart(2, '0')}:00:00`, 3600),
      problem: null,
      startsMs: null,
      endsMs: null,
      gone: false,
      own: false,
      change: 1,
    });
    this.unplanned.add(id);
  }

  remove(ref: string): void {
    const held = [...this.items.values()].find((item) => item.ref === ref);
    if (held === undefined) return;
    this.items.set(held.id, { ...held, gone: true });
    this.unplanned.add(held.id);
  }

  /** One pass of the planner over what is unplanned (or everything), carried out as the store and the writer do. */
  plan(pairs: Pairs, everything = false): PlannedOrigin[] {
    const items = [...this.items.values()].filter((item) => everything || this.unplanned.has(item.id));
    const uids = new Set(items.map(originUidOf));
    const ids = new Set(items.map((item) => item.id));
    const ledger = this.ledger.filter((row) => ids.has(row.originItemId) || uids.has(row.originUid));
    const alive = new Set([...this.items.values()].filter((item) => !item.gone).map((item) => item.id));
    const plans = withoutPause(planItems(world, pairs, items, ledger, alive, Number.POSITIVE_INFINITY));
    const before = new Set(ledger);
    for (const { item, uid, actions, rebind, waits } of plans) {
      for (const row of rebind) this.#change(row, { originItemId: item.id });
      for (const action of actions) {
        if (action.do !== 'insert') expect(before.has(action.row)).toBe(true);
        switch (action.do) {
          case 'insert':
            this.ledger.push({
              id: `row ${this.#nextId()}` as MirrorId,
              originItemId: item.id,
              originCalendarId: sourceId,
              originUid: uid,
              recId: action.block.recId,
              targetCalendarId: action.targetCalendarId,
              generation: 1,
              state: 'created',
              reason: null,
              desiredHash: action.block.hash,
              seen: null,
              userDeletedAtMs: null,
              removalTried: false,
              restored: 0,
              restoredAtMs: null,
              waits: false,
            });
            break;
          case 'write':
          case 'restore':
          case 'recreate':
          case 'renew':
            this.#change(action.row, {
              originItemId: item.id,
              state: 'created',
              desiredHash: action.block.hash,
              seen: null,
            });
            break;
          case 'release':
            this.#change(action.row, { state: 'skipped', reason: action.reason });
            break;
          case 'remove':
          case 'forget':
            this.ledger = this.ledger.filter((row) => row.id !== action.row.id);
        }
      }
      if (waits) continue;
      this.unplanned.delete(item.id);
      if (item.gone) this.items.delete(item.id);
    }
    const keys = this.ledger.map((row) => `${row.originUid} ${row.targetCalendarId} ${row.recId}`);
    expect(new Set(keys).size, 'the ledger has one row for each name').toBe(keys.length);
    return plans;
  }

  #change(row: LedgerRow, more: Partial<LedgerRow>): void {
    this.ledger = this.ledger.map((one) => (one.id === row.id ? { ...one, ...more } : one));
  }

  blocksOf(ref: string): LedgerRow[] {
    const item = [...this.items.values()].find((one) => one.ref === ref && !one.gone);
    return this.ledger.filter((row) => row.originItemId === item?.id);
  }

  live(): PlannedItem[] {
    return [...this.items.values()].filter((item) => !item.gone);
  }
}

type Step = { do: 'put'; ref: string; uid: string; hour: number } | { do: 'remove'; ref: string } | { do: 'plan' };

const refs = ['/1.ics', '/2.ics', '/3.ics'];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    ref: fc.constantFrom(...refs),
    uid: fc.constantFrom('a@x', 'a@x', 'b@x'),
    hour: fc.integer({ min: 8, max: 18 }),
  }),
  fc.record({ do: fc.constant('remove' as const), ref: fc.constantFrom(...refs) }),
  fc.constant({ do: 'plan' as const }),
);

describe('planning after any changes', () => {
  test('every live event has one mirror in each target after any changes, and planning again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const model = new Model();
        const pairs = pairsTo(targets);
        for (const one of steps) {
          if (one.do === 'put') model.put(one.ref, one.uid, one.hour);
          else if (one.do === 'remove') model.remove(one.ref);
          else model.plan(pairs);
        }
        model.plan(pairs);
        for (const item of model.live()) {
          expect(
            model
              .blocksOf(item.ref)
              .map((row) => row.targetCalendarId)
              .toSorted(),
          ).toEqual(targets.toSorted());
        }
        expect(model.ledger).toHaveLength(model.live().length * targets.length);
        const again = model.plan(pairs, true);
        expect(again.flatMap((plan) => [...plan.actions, ...plan.rebind])).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });

  test('a target that cannot be written gains and loses no mirrors until it is writable again', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(step, { maxLength: 8 }), (first, then) => {
        const model = new Model();
        const run = (steps: Step[], pairs: Pairs) => {
          for (const one of steps) {
            if (one.do === 'put') model.put(one.ref, one.uid, one.hour);
            else if (one.do === 'remove') model.remove(one.ref);
            else model.plan(pairs);
          }
          model.plan(pairs);
        };
        run(first, pairsTo(targets));
        const stood = model.ledger
          .filter((row) => row.targetCalendarId === 'club')
          .map((row) => [row.id, row.desiredHash]);
        run(then, pairsTo(targets, ['club']));
        const stands = model.ledger
          .filter((row) => row.targetCalendarId === 'club')
          .map((row) => [row.id, row.desiredHash]);
        expect(stands).toEqual(stood);
        // and when it can be written again it is as if it always could
        model.plan(pairsTo(targets), true);
        model.plan(pairsTo(targets), true);
        for (const item of model.live()) expect(model.blocksOf(item.ref)).toHaveLength(targets.length);
        expect(model.ledger).toHaveLength(model.live().length * targets.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('events that come back', () => {
  const pairs = pairsTo(['home']);
  const planned = (plans: PlannedOrigin[]) => plans.flatMap((plan) => plan.actions.map((action) => action.do));

  test('an event that comes back under another resource name with the same UID keeps its mirror', () => {
    const model = new Model();
    model.put('/1.ics', 'a@x', 9);
    model.plan(pairs);
    const [before] = model.blocksOf('/1.ics');
    model.remove('/1.ics');
    model.put('/moved.ics', 'a@x', 9);
    expect(planned(model.plan(pairs))).toEqual([]);
    expect(model.blocksOf('/moved.ics')).toEqual([{ ...before, originItemId: model.live()[0]?.id }]);
  });

  test('an event with another UID under the same resource name is another event', () => {
    const model = new Model();
    model.put('/1.ics', 'a@x', 9);
    model.plan(pairs);
    model.put('/1.ics', 'b@x', 9);
    expect(planned(model.plan(pairs)).toSorted()).toEqual(['insert', 'remove']);
    expect(model.blocksOf('/1.ics').map((row) => row.originUid)).toEqual(['b@x']);
  });
});

describe('live events with one UID', () => {
  const pairs = pairsTo(['home']);

  test('two live events with one UID have a mirror each, planned together or one after the other', () => {
    for (const together of [true, false]) {
      const model = new Model();
      model.put('/1.ics', 'a@x', 9);
      if (!together) model.plan(pairs);
      model.put('/2.ics', 'a@x', 11);
      model.plan(pairs);
      expect(model.ledger.map((row) => row.originUid)).toEqual(['a@x', 'a@x /2.ics']);
    }
  });

  test('an event keeps its mirror when another event with its UID is deleted', () => {
    const model = new Model();
    model.put('/1.ics', 'a@x', 9);
    model.put('/2.ics', 'a@x', 11);
    model.plan(pairs);
    const [other] = model.blocksOf('/2.ics');
    model.remove('/1.ics');
    model.plan(pairs);
    expect(model.ledger).toEqual([other]);
    expect(model.plan(pairs, true).flatMap((plan) => plan.actions)).toEqual([]);
  });
});

test('a mirror that was taken for an event loses the mirror that it got', () => {
  const model = new Model();
  model.put('/1.ics', 'a@x', 9);
  model.plan(pairsTo(['home']));
  const [item] = model.live();
  if (item === undefined) throw new Error('no item');
  model.items.set(item.id, { ...item, own: true });
  model.plan(pairsTo(['home']), true);
  expect(model.ledger).toEqual([]);
});

test('an event without a UID is identified by its resource name', () => {
  const model = new Model();
  model.put('/1.ics', 'a@x', 9);
  const [item] = model.live();
  if (item === undefined) throw new Error('no item');
  model.items.set(item.id, { ...item, uid: null });
  model.plan(pairsTo(['home']));
  expect(model.ledger.map((row) => row.originUid)).toEqual(['/1.ics']);
  expect(model.ledger.map((row) => row.targetCalendarId)).toEqual(['home' as CalendarId]);
});
