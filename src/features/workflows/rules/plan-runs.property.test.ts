import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepId } from '#kernel/ids.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import type { Definition, Trigger } from './definition.ts';
import { judgeRun } from './judge-run.ts';
import type { Matter } from './matter.ts';
import { type KnownRun, planRuns } from './plan-runs.ts';
import { quietAround } from './timing.ts';

const minute = 60_000;
const hour = 60 * minute;
const step = '6f1c2f0e-7c0a-4b7e-9d57-0d8f6b0f7a11' as StepId;
const startMs = Date.UTC(2027, 2, 15, 13);

const definition = (change: Partial<Definition> = {}): Definition => ({
  trigger: 'before-event',
  offset: { amount: 24, unit: 'hours' },
  filter: { event_type_ids: null },
  if_past: 'skip',
  if_late: 'skip',
  quiet_hours: null,
  steps: [{ id: step, action: { kind: 'send-email', to: 'guest', subject: 'Soon', body: 'Soon.', ics: false } }],
  ...change,
});

const matter = (change: Partial<Matter> = {}): Matter => ({
  state: 'confirmed',
  sequence: 0,
  eventTypeId: null,
  startMs,
  endMs: startMs + 30 * minute,
  guestZone: 'Asia/Tokyo',
  hostZone: 'America/New_York',
  guestNoShow: false,
  hostNoShow: false,
  isFirst: true,
  isAlongside: false,
  ...change,
});

interface Given {
  workflow?: { version?: number; active?: boolean; definition?: Definition };
  matter?: Matter;
  runs?: KnownRun[];
  begun?: Trigger[];
  isNews?: boolean;
  nowMs?: number;
}

/** Plans, and gives the runs as they stand afterwards. */
function plan({
  workflow = {},
  matter: about = matter(),
  runs = [],
  begun = [],
  isNews = true,
  nowMs = startMs - 100 * hour,
}: Given): KnownRun[] {
  const made = planRuns({
    workflow: { version: 1, active: true, definition: definition(), ...workflow },
    matter: about,
    runs,
    begun,
    isNews,
    nowMs,
  });
  const changed = runs.map((run) => {
    const change = made.changes.find(({ id }) => id === run.id);
    return change === undefined ? run : { ...run, ...change };
  });
  return [...changed, ...made.inserts.map((run) => ({ ...run, id: `${run.stepId} ${run.occurrence}` }))];
}

describe('reminders before an event', () => {
  it('a reminder is planned with its booking, moves with it, and is skipped when cancelled', () => {
    const planned = plan({});
    expect(planned).toMatchObject([{ state: 'planned', dueMs: startMs - 24 * hour, occurrence: 0 }]);
    const moved = plan({ runs: planned, matter: matter({ startMs: startMs + 5 * hour, sequence: 1 }) });
    expect(moved).toMatchObject([{ state: 'planned', dueMs: startMs - 19 * hour, occurrence: 0 }]);
    const gone = plan({ runs: moved, matter: matter({ state: 'cancelled', sequence: 2 }) });
    expect(gone).toMatchObject([{ state: 'skipped', reason: 'cancelled' }]);
  });

  it('a sent reminder is planned again for a new time, never twice for the same time', () => {
    const sent = plan({}).map((run) => ({ ...run, state: 'done' as const }));
    expect(plan({ runs: sent })).toEqual(sent);
    const moved = plan({ runs: sent, matter: matter({ startMs: startMs + 48 * hour, sequence: 1 }) });
    expect(moved).toMatchObject([{ state: 'done' }, { state: 'planned', occurrence: 1, dueMs: startMs + 24 * hour }]);
  });

  it('a reminder already past at booking is skipped, or sent at once when so configured', () => {
    const late = { nowMs: startMs - hour };
    expect(plan(late)).toMatchObject([{ state: 'skipped', reason: 'past' }]);
    const now = plan({ ...late, workflow: { definition: definition({ if_past: 'send-now' }) } });
    expect(now).toMatchObject([{ state: 'planned', dueMs: startMs - hour }]);
    // a workflow that is made afterwards tells nobody of what is past
    expect(plan({ ...late, isNews: false, workflow: { definition: definition({ if_past: 'send-now' }) } })).toEqual([]);
  });

  it('a reminder is skipped while unconfirmed or paused, returns afterwards, and ends with its step', () => {
    const planned = plan({});
    const pending = plan({ runs: planned, matter: matter({ state: 'pending', sequence: 1 }) });
    expect(pending).toMatchObject([{ state: 'skipped', reason: 'not-confirmed' }]);
    expect(plan({ runs: pending })).toMatchObject([{ state: 'planned', occurrence: 0 }]);
    const paused = plan({ runs: planned, workflow: { active: false }, isNews: false });
    expect(paused).toMatchObject([{ state: 'skipped', reason: 'paused' }]);
    expect(plan({ runs: paused, isNews: false })).toMatchObject([{ state: 'planned' }]);
    const other = definition();
    const [only] = other.steps;
    const without = { ...other, steps: [{ ...only!, id: crypto.randomUUID() as StepId }] };
    expect(plan({ runs: planned, workflow: { definition: without, version: 2 }, isNews: false })).toMatchObject([
      { state: 'skipped', reason: 'edited' },
      { state: 'planned', version: 2 },
    ]);
  });

  it("a reminder during the guest's quiet hours is sent after them, or before them where that is too late", () => {
    // 13:00 in UTC is 22:00 in Tokyo
    const quiet = definition({ quiet_hours: { from: '21:00', to: '08:00' } });
    expect(plan({ workflow: { definition: quiet } })).toMatchObject([{ dueMs: startMs - 24 * hour + 10 * hour }]);
    const soon = { ...quiet, offset: { amount: 1, unit: 'hours' as const } };
    const early = matter({ startMs: startMs + 9 * hour, endMs: startMs + 10 * hour });
    expect(plan({ workflow: { definition: soon }, matter: early })).toMatchObject([{ dueMs: startMs - hour - minute }]);
  });
});

describe('workflow runs after a change', () => {
  const created = definition({ trigger: 'booking-created', offset: { amount: 0, unit: 'minutes' } });
  it('a run for a new booking is planned once and not again on a later replan', () => {
    const nowMs = startMs - 50 * hour;
    const planned = plan({ workflow: { definition: created }, begun: ['booking-created'], nowMs });
    expect(planned).toMatchObject([{ state: 'planned', dueMs: nowMs, occurrence: 0 }]);
    const sent = planned.map((run) => ({ ...run, state: 'done' as const }));
    expect(plan({ workflow: { definition: created }, runs: sent, begun: ['booking-created'], nowMs })).toEqual(sent);
    expect(plan({ workflow: { definition: created }, isNews: false, nowMs })).toEqual([]);
  });

  it('bookings made together plan one mail and a CRM run for each', () => {
    const second = matter({ isFirst: false });
    const mail = plan({ workflow: { definition: created }, begun: ['booking-created'], matter: second });
    expect(mail).toMatchObject([{ state: 'skipped', reason: 'together' }]);
    const crm = {
      ...created,
      steps: [{ id: step, action: { kind: 'push-to-crm' as const, credential_id: 'c' as never } }],
    };
    expect(plan({ workflow: { definition: crm }, begun: ['booking-created'], matter: second })).toMatchObject([
      { state: 'planned' },
    ]);
  });

  it('bookings cancelled together plan one mail, and one cancelled alone plans its own', () => {
    const ended = definition({ trigger: 'booking-cancelled', offset: { amount: 0, unit: 'minutes' } });
    const of = (isAlongside: boolean) =>
      plan({
        workflow: { definition: ended },
        begun: ['booking-cancelled'],
        matter: matter({ state: 'cancelled', isFirst: false, isAlongside }),
      });
    expect(of(true)).toMatchObject([{ state: 'skipped', reason: 'together' }]);
    expect(of(false)).toMatchObject([{ state: 'planned' }]);
  });

  it('a booking moved twice before its mail plans a mail for the last move only', () => {
    const moved = definition({ trigger: 'booking-rescheduled', offset: { amount: 1, unit: 'hours' } });
    const first = plan({
      workflow: { definition: moved },
      begun: ['booking-rescheduled'],
      matter: matter({ sequence: 1 }),
    });
    const second = plan({
      workflow: { definition: moved },
      runs: first,
      begun: ['booking-rescheduled'],
      matter: matter({ sequence: 2 }),
    });
    expect(second).toMatchObject([
      { state: 'skipped', reason: 'overtaken' },
      { state: 'planned', occurrence: 2 },
    ]);
  });
});

/** Any life of a booking and its workflow: nothing is planned twice for one time, and nothing goes out that should not. */
describe('laws of workflow runs', () => {
  const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe');
  const act = fc.oneof(
    fc.record({ act: fc.constant('move' as const), byHours: fc.integer({ min: -200, max: 400 }) }),
    fc.record({ act: fc.constantFrom('cancel', 'pend', 'confirm', 'pause', 'resume', 'edit', 'look', 'send') }),
    fc.record({ act: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 6_000 }) }),
  );
  const settings = fc.record({
    trigger: fc.constantFrom('before-event' as const, 'after-event' as const),
    amount: fc.integer({ min: 0, max: 48 }),
    unit: fc.constantFrom('hours' as const, 'days' as const),
    if_past: fc.constantFrom('skip' as const, 'send-now' as const),
    quiet: fc.boolean(),
  });

  it('runs are sent once per time, only when confirmed, in time and outside quiet hours', () => {
    fc.assert(
      fc.property(
        settings,
        zone,
        fc.array(act, { minLength: 5, maxLength: 40 }),
        ({ amount, unit, quiet, ...given }, hostZone, acts) => {
          let workflow = {
            version: 1,
            active: true,
            definition: definition({
              ...given,
              offset: { amount, unit },
              quiet_hours: quiet ? { from: '22:00', to: '07:30' } : null,
            }),
          };
          let about = matter({ hostZone });
          let nowMs = startMs - 200 * hour;
          let runs = plan({ workflow, matter: about, nowMs });
          const sent: { aboutMs: number | null; atMs: number; dueMs: number }[] = [];
          for (const one of acts) {
            if ('minutes' in one) nowMs += one.minutes * minute;
            if ('byHours' in one && about.state !== 'cancelled') {
              const to = about.startMs + one.byHours * hour;
              about = { ...about, startMs: to, endMs: to + hour, sequence: about.sequence + 1 };
            }
            if (one.act === 'cancel') about = { ...about, state: 'cancelled', sequence: about.sequence + 1 };
            if (one.act === 'pend' && about.state === 'confirmed') about = { ...about, state: 'pending' };
            if (one.act === 'confirm' && about.state === 'pending') about = { ...about, state: 'confirmed' };
            if (one.act === 'pause') workflow = { ...workflow, active: false };
            if (one.act === 'resume') workflow = { ...workflow, active: true };
            if (one.act === 'edit') workflow = { ...workflow, version: workflow.version + 1 };
            const isNews = ['move', 'cancel', 'pend', 'confirm'].includes(one.act);
            if (one.act !== 'send' && one.act !== 'pass') runs = plan({ workflow, matter: about, runs, nowMs, isNews });
            // asked again it says the same
            expect(
              plan({ workflow, matter: about, runs, nowMs, isNews: false }).map(({ state, occurrence }) => [
                state,
                occurrence,
              ]),
            ).toEqual(
              plan({
                workflow,
                matter: about,
                runs: plan({ workflow, matter: about, runs, nowMs, isNews: false }),
                nowMs,
                isNews: false,
              }).map(({ state, occurrence }) => [state, occurrence]),
            );
            if (one.act !== 'send') continue;
            runs = runs.map((run) => {
              if (run.state !== 'planned' || run.dueMs > nowMs) return run;
              const verdict = judgeRun({ ...run, generation: 0, isWaiting: false }, workflow, about, nowMs);
              if (verdict.do === 'wait') return run;
              if (verdict.do === 'skip') return { ...run, state: 'skipped' as const, reason: verdict.reason };
              sent.push({ aboutMs: run.aboutMs, atMs: nowMs, dueMs: run.dueMs });
              expect(about.state).toBe('confirmed');
              expect(workflow.active).toBe(true);
              expect(nowMs - run.dueMs).toBeLessThan(600_000);
              if (quiet)
                expect(quietAround(nowMs, { hours: { from: '22:00', to: '07:30' }, zone: about.guestZone })).toBe(null);
              if (given.trigger === 'before-event') expect(nowMs).toBeLessThan(about.startMs);
              return { ...run, state: 'done' as const };
            });
          }
          const times = sent.map(({ aboutMs }) => aboutMs);
          // a meeting that goes back to a time it had is that meeting again
          const visits = runs.filter(({ state }) => state === 'done').length;
          expect(times.length).toBe(visits);
          expect(runs.filter(({ state }) => state === 'planned').length).toBeLessThanOrEqual(1);
          expect(new Set(runs.map(({ occurrence }) => occurrence)).size).toBe(runs.length);
          for (let n = 1; n < times.length; n += 1) expect(times[n]).not.toBe(times[n - 1]);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
