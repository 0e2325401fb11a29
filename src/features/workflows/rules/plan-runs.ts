import type { StepId } from '#kernel/ids.ts';
import type { ActionKind } from './action.ts';
import { type Definition, isTimed, type Step, type Trigger } from './definition.ts';
import {
  aboutMs,
  isFiltered,
  isTogether,
  type Matter,
  occurrenceOf,
  type Unwanted,
  unwantedFor,
  zoneOf,
} from './matter.ts';
import { latestMs, leaveQuiet, shiftMs } from './timing.ts';

/**
 * Which runs of one workflow should stand for one booking, by what stands. Pure, and the same however often it is asked: a
 * run that was carried out is never planned again for the same time, one that was not is moved to where it belongs.
 */

export type RunState = 'planned' | 'claimed' | 'handed' | 'done' | 'skipped' | 'dead';

export interface KnownRun {
  id: string;
  stepId: StepId;
  occurrence: number;
  state: RunState;
  reason: string | null;
  dueMs: number;
  aboutMs: number | null;
  version: number;
  position: number;
}

export interface PlannedWorkflow {
  version: number;
  active: boolean;
  definition: Definition;
}

interface Wish {
  state: 'planned' | 'skipped';
  reason: string | null;
  dueMs: number;
  aboutMs: number | null;
  version: number;
  position: number;
  kind: ActionKind;
}
export type NewRun = Wish & { stepId: StepId; occurrence: number };
export type RunChange = Wish & { id: string };

export interface RunPlan {
  inserts: NewRun[];
  changes: RunChange[];
}

interface Question {
  workflow: PlannedWorkflow;
  matter: Matter;
  /** Runs of this workflow and booking. */
  runs: readonly KnownRun[];
  /** New events of the booking. None: the workflow changed, or planning runs again. */
  begun: readonly Trigger[];
  /** The booking has just been made or moved: what is too late for it is told as such. */
  isNews: boolean;
  nowMs: number;
}

/** A step that was not wanted may be wanted again; one whose time had passed may not, unless the time moves. */
const revivable = new Set<string>(['not-confirmed', 'filtered', 'paused', 'edited', 'deleted', 'quiet-hours']);

export function planRuns(question: Question): RunPlan {
  const { workflow, runs } = question;
  const plan: RunPlan = { inserts: [], changes: [] };
  const { steps, trigger } = workflow.definition;
  const known = new Set<string>(steps.map(({ id }) => id));
  for (const run of runs) {
    if (run.state === 'planned' && !known.has(run.stepId)) plan.changes.push(skip(run, 'edited', question));
  }
  for (const [position, step] of steps.entries()) {
    const ofStep = runs.filter(({ stepId }) => stepId === step.id);
    if (isTimed(trigger)) planTimed(question, { step, position }, ofStep, plan);
    else planFollowing(question, { step, position }, ofStep, plan);
  }
  return plan;
}

interface Placed {
  step: Step;
  position: number;
}

function planTimed(question: Question, placed: Placed, runs: readonly KnownRun[], plan: RunPlan): void {
  const { workflow, matter, isNews, nowMs } = question;
  const { definition } = workflow;
  const about = aboutMs(definition.trigger, matter);
  const latest = runs.reduce<KnownRun | null>(
    (last, run) => (run.occurrence > (last?.occurrence ?? -1) ? run : last),
    null,
  );
  const unwanted = whyNot(question);
  if (unwanted !== null) {
    if (latest?.state === 'planned') plan.changes.push(skip(latest, unwanted, question));
    return;
  }
  const isSameTime = latest !== null && latest.aboutMs === about;
  const isOpen = latest?.state === 'planned';
  const canRevive = latest?.state === 'skipped' && (!isSameTime || revivable.has(latest.reason ?? ''));
  if (latest !== null && isSameTime && !isOpen && !canRevive) return;
  const dueMs = timedDue(question);
  const isPast = dueMs < nowMs;
  // open runs stay open under a new version, also when they are due now
  if (isPast && !isNews && isOpen && isSameTime) {
    plan.changes.push({ ...wish(question, placed), ...keep(latest), id: latest.id });
    return;
  }
  if (isPast && !isNews) {
    if (isOpen) plan.changes.push(skip(latest, 'past', question));
    return;
  }
  const next = { ...wish(question, placed), ...whenTimed(question, placed.step, dueMs), aboutMs: about };
  if (latest !== null && (isOpen || canRevive)) {
    const isSame =
      isOpen &&
      next.state === 'planned' &&
      latest.dueMs === next.dueMs &&
      isSameTime &&
      latest.version === next.version &&
      latest.position === next.position;
    if (!isSame) plan.changes.push({ ...next, id: latest.id });
  } else if (!(isPast && nowMs >= matter.startMs)) {
    plan.inserts.push({ ...next, stepId: placed.step.id, occurrence: (latest?.occurrence ?? -1) + 1 });
  }
}

function planFollowing(question: Question, placed: Placed, runs: readonly KnownRun[], plan: RunPlan): void {
  const { workflow, matter, begun, nowMs } = question;
  const { trigger, offset } = workflow.definition;
  const unwanted = whyNot(question);
  const occurrence = occurrenceOf(trigger, matter);
  for (const run of runs) {
    const isOvertaken = run.occurrence !== occurrence && trigger === 'booking-rescheduled';
    const why = run.aboutMs !== null ? 'edited' : isOvertaken ? 'overtaken' : unwanted;
    if (run.state === 'planned' && why !== null) plan.changes.push(skip(run, why, question));
    else if (run.state === 'planned' && (run.version !== workflow.version || run.position !== placed.position))
      plan.changes.push({ ...wish(question, placed), ...keep(run), id: run.id });
  }
  if (unwanted !== null || !begun.includes(trigger) || runs.some((run) => run.occurrence === occurrence)) return;
  const together = isTogether(trigger, placed.step.action, matter);
  const dueMs = shiftMs(nowMs, offset, 1, matter.hostZone);
  const when = together
    ? ({ state: 'skipped', reason: 'together', dueMs } as const)
    : outOfQuiet(question, placed.step, dueMs);
  plan.inserts.push({ ...wish(question, placed), ...when, aboutMs: null, stepId: placed.step.id, occurrence });
}

function whyNot({ workflow, matter }: Question): Unwanted | null {
  const { definition, active } = workflow;
  return (
    unwantedFor(definition.trigger, matter) ??
    (active ? null : 'paused') ??
    (isFiltered(definition, matter) ? 'filtered' : null)
  );
}

type When = Pick<Wish, 'state' | 'reason' | 'dueMs'>;

function timedDue({ workflow, matter }: Question): number {
  const { trigger, offset } = workflow.definition;
  const isBefore = trigger === 'before-event';
  return shiftMs(isBefore ? matter.startMs : matter.endMs, offset, isBefore ? -1 : 1, matter.hostZone);
}

function whenTimed(question: Question, step: Step, dueMs: number): When {
  const { workflow, matter, nowMs } = question;
  const { trigger, if_past } = workflow.definition;
  if (dueMs >= nowMs) return outOfQuiet(question, step, dueMs);
  const isOfUse = nowMs < latestMs({ trigger, if_late: 'send' }, dueMs, matter.startMs);
  return if_past === 'send-now' && isOfUse
    ? outOfQuiet(question, step, nowMs)
    : { state: 'skipped', reason: 'past', dueMs };
}

function outOfQuiet({ workflow, matter, nowMs }: Question, step: Step, dueMs: number): When {
  const { trigger, quiet_hours: hours } = workflow.definition;
  const zone = zoneOf(step.action, matter);
  const quiet = hours === null || zone === null ? null : { hours, zone };
  const beforeMs = trigger === 'before-event' ? matter.startMs : Number.POSITIVE_INFINITY;
  const atMs = leaveQuiet(dueMs, quiet, { earliestMs: nowMs, beforeMs });
  return atMs === null
    ? { state: 'skipped', reason: 'quiet-hours', dueMs }
    : { state: 'planned', reason: null, dueMs: atMs };
}

const wish = ({ workflow }: Question, { step, position }: Placed) => ({
  version: workflow.version,
  position,
  kind: step.action.kind,
});

const keep = ({ dueMs, aboutMs }: KnownRun) => ({ state: 'planned' as const, reason: null, dueMs, aboutMs });

function skip(run: KnownRun, reason: string, { workflow }: Question): RunChange {
  const { id, dueMs, aboutMs, position, stepId } = run;
  const kind = workflow.definition.steps.find((step) => step.id === stepId)?.action.kind ?? 'send-email';
  return { id, state: 'skipped', reason, dueMs, aboutMs, version: workflow.version, position, kind };
}
