import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { EventBody, Series, When } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { SeriesShape } from '#providers/port.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { LedgerModel, type ModelRow } from '../../../../test/harness/ledger-model.ts';
import {
  ordinaryCore,
  ordinaryOrigin,
  ordinaryPair,
  plannedAtMs,
  seriesShapes,
} from '../../../../test/harness/mirror-subjects.ts';
import { type Desired, desiredBlocks, type Origin, type Pair } from './desired.ts';
import { planOrigin } from './plan.ts';

vi.setConfig({ testTimeout: 60_000 });

/*
 * Actions on one series while its blocks are being written: any edit, any change of shape, any order of calls. Answers
 * are lost, and a process dies between listing its calls and making them.
 */

const hourMs = 3_600_000;
const allDayLong = { start: '00:00', end: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7], zone: 'UTC' };

interface State {
  startHour: number;
  days: number;
  title: string;
  moved: Map<number, number>;
  cancelled: Set<number>;
  kind: 'series' | 'single' | 'gone';
  shape: SeriesShape;
  hours: boolean;
}

type Step =
  | { do: 'move'; nth: number; hours: number }
  | { do: 'put back'; nth: number }
  | { do: 'cancel'; nth: number }
  | { do: 'shift'; startHour: number }
  | { do: 'end after'; days: number }
  | { do: 'rename'; title: string }
  | { do: 'become'; kind: State['kind'] }
  | { do: 'shape'; shape: SeriesShape }
  | { do: 'hours'; on: boolean }
  /** A writer lists what is due, and makes some calls of it, in some order. */
  | { do: 'list' }
  | { do: 'call'; which: number; lost: boolean };

// few instances and short ways, so that edits meet: moved after it was cancelled, onto its neighbour, half off its place
const nth = fc.integer({ min: 0, max: 2 });
const hours = fc.constantFrom(1, -1, 1, 2, 24, 30, 0);
const edit: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('move' as const), nth, hours }),
  fc.record({ do: fc.constant('move' as const), nth, hours }),
  fc.record({ do: fc.constant('put back' as const), nth }),
  fc.record({ do: fc.constant('cancel' as const), nth }),
  fc.record({ do: fc.constant('shift' as const), startHour: fc.integer({ min: 8, max: 11 }) }),
  fc.record({ do: fc.constant('end after' as const), days: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('rename' as const), title: fc.constantFrom('Review', 'Retro') }),
  fc.record({ do: fc.constant('become' as const), kind: fc.constantFrom('series', 'series', 'single', 'gone') }),
  fc.record({ do: fc.constant('shape' as const), shape: fc.constantFrom(...seriesShapes) }),
  fc.record({ do: fc.constant('shape' as const), shape: fc.constantFrom(...seriesShapes) }),
  fc.record({ do: fc.constant('hours' as const), on: fc.boolean() }),
);
const call: fc.Arbitrary<Step> = fc.record({ do: fc.constant('call' as const), which: fc.nat(30), lost: fc.boolean() });
const list: fc.Arbitrary<Step> = fc.constant({ do: 'list' });
const steps = fc.array(fc.oneof(edit, edit, list, list, call, call, call, call), { minLength: 5, maxLength: 60 });

const dayOf = (offset: number) => Temporal.PlainDate.from('2027-03-02').add({ days: offset });
const at = (offset: number, hour: number): When => ({
  kind: 'zoned',
  start: dayOf(offset).toPlainDateTime({ hour: 0 }).add({ hours: hour }).toString({ smallestUnit: 'second' }),
  zone: 'UTC',
  duration: { seconds: 7_200 },
});
const nameOf = (state: State, offset: number) =>
  `${dayOf(offset).toString().replaceAll('-', '')}T${String(state.startHour).padStart(2, '0')}0000Z`;

function bodyOf(state: State): EventBody {
  const core = ordinaryCore({ title: state.title });
  const when = at(0, state.startHour);
  if (state.kind === 'single') return { kind: 'single', when, core };
  const overrides: Series['overrides'] = {};
  for (const [n, hours] of state.moved)
    overrides[nameOf(state, n)] = { when: at(n, state.startHour + hours), core: { ...core } };
  return {
    kind: 'series',
    when,
    core,
    rules: [`FREQ=DAILY;COUNT=${state.days}`],
    exRules: [],
    extraDates: [],
    exdates: [...state.cancelled].map((n) => nameOf(state, n)).sort(),
    overrides,
  };
}

const pairOf = (state: State): Pair =>
  ordinaryPair({ series: state.shape, zone: 'UTC', rule: state.hours ? { hours: allDayLong } : {} });
const originOf = (state: State): Origin => ordinaryOrigin({ body: bodyOf(state), gone: state.kind === 'gone' });

function instantsOf(bodies: EventBody[], pair: Pair): Set<number> {
  const hours = new Set<number>();
  for (const body of bodies) {
    const { list: found } = occurrencesOf(body, 'UTC', 'UTC', pair.window, { instances: 5_000, steps: 50_000 });
    for (const one of found) for (let ms = one.startMs; ms < one.endMs; ms += hourMs) hours.add(ms);
  }
  return hours;
}

/** One series, its target, and a writer that may be behind. */
class Story {
  readonly model = new LedgerModel();
  state: State = {
    startHour: 9,
    days: 5,
    title: 'Review',
    moved: new Map(),
    cancelled: new Set(),
    kind: 'series',
    shape: 'punch-out',
    hours: false,
  };
  wanted: Set<number> = new Set();
  /** The rows that a writer has listed, and the blocks that were wanted at that time. */
  #hand: { rows: ModelRow[]; wanted: Set<number> } = { rows: [], wanted: new Set() };
  switches = 0;
  lost = 0;

  constructor() {
    this.#plan();
  }

  take(step: Step): void {
    const { state } = this;
    switch (step.do) {
      case 'list':
        this.#hand = { rows: this.model.listDue(), wanted: this.wanted };
        return;
      case 'call':
        this.#call(step.which, step.lost);
        return;
      case 'move':
        state.cancelled.delete(step.nth);
        state.moved.set(step.nth, step.hours);
        break;
      case 'put back':
        state.cancelled.delete(step.nth);
        state.moved.delete(step.nth);
        break;
      case 'cancel':
        state.moved.delete(step.nth);
        state.cancelled.add(step.nth);
        break;
      case 'shift':
        state.startHour = step.startHour;
        break;
      case 'end after':
        state.days = step.days;
        break;
      case 'rename':
        state.title = step.title;
        break;
      case 'become':
        state.kind = step.kind;
        break;
      case 'shape':
        if (state.shape !== step.shape) this.switches += 1;
        state.shape = step.shape;
        break;
      case 'hours':
        state.hours = step.on;
    }
    this.#plan();
  }

  desired(): Desired {
    return desiredBlocks(originOf(this.state), pairOf(this.state), plannedAtMs);
  }

  #plan(): void {
    const pair = pairOf(this.state);
    const desired = this.desired();
    this.model.carryOut(planOrigin([{ pair, desired }], this.model.rows, plannedAtMs));
    this.wanted = instantsOf(
      desired.blocks.map((block) => block.body),
      pair,
    );
  }

  /** Time that is blocked, and was wanted when the call was listed and still is, stays blocked. */
  #call(which: number, lost: boolean): void {
    const { rows, wanted } = this.#hand;
    if (rows.length === 0) return;
    const [row] = rows.splice(which % rows.length, 1);
    if (row === undefined) return;
    const before = this.standing();
    this.model.call(row, lost);
    if (lost) {
      // the process dies before it records this, with all other calls in hand
      this.#hand = { rows: [], wanted };
      this.lost += 1;
    }
    // one instance is moved in place, and holds the place it had or the place it has: two that swap have to pass
    if (row.recId !== '' && row.state === 'pending') return;
    const after = this.standing();
    const opened = [...before].filter((ms) => wanted.has(ms) && this.wanted.has(ms) && !after.has(ms));
    expect(
      opened.map((ms) => new Date(ms).toISOString()),
      `${row.state} ${row.recId === '' ? 'series' : row.recId}`,
    ).toEqual([]);
  }

  standing(): Set<number> {
    return instantsOf(
      [...this.model.objects.values()].map((one) => one.body),
      pairOf(this.state),
    );
  }

  /** The writer comes to the end of its work. */
  finish(): void {
    for (let round = 0; round < 12; round += 1) {
      this.take({ do: 'list' });
      if (this.#hand.rows.length === 0) return;
      while (this.#hand.rows.length > 0) this.#call(0, false);
    }
    throw new Error(`nothing comes to an end: ${JSON.stringify(this.model.rows)}`);
  }
}

test('a wanted time stays blocked through any edits, shape switches, lost responses and crashes', () => {
  let switches = 0;
  let lost = 0;
  fc.assert(
    fc.property(steps, (list) => {
      const story = new Story();
      for (const step of list) story.take(step);
      story.finish();
      const standing = [...story.model.objects.values()].map((one) => one.hash).toSorted();
      expect(standing).toEqual(
        story
          .desired()
          .blocks.map((block) => block.hash)
          .toSorted(),
      );
      expect(story.standing()).toEqual(story.wanted);
      expect(story.model.rows.every((row) => row.state === 'created')).toBe(true);
      switches += story.switches;
      lost += story.lost;
    }),
    { numRuns: runs(2_000) },
  );
  expect(switches).toBeGreaterThan(runs(500));
  expect(lost).toBeGreaterThan(runs(500));
});
