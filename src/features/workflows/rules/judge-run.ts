import type { Action } from './action.ts';
import type { Definition } from './definition.ts';
import { aboutMs, isFiltered, type Matter, occurrenceOf, unwantedFor, zoneOf } from './matter.ts';
import { latestMs, quietAround } from './timing.ts';

export type Verdict =
  | { do: 'send'; action: Action; latestMs: number }
  | { do: 'skip'; reason: string }
  | { do: 'wait'; untilMs: number };

interface Claimed {
  stepId: string;
  occurrence: number;
  dueMs: number;
  aboutMs: number | null;
  generation: number;
  /** Whether it has waited until its reader confirms the address. */
  isWaiting: boolean;
}

/** Whether a claimed run is still what is wanted, by the booking and the workflow as they are now. */
export function judgeRun(
  run: Claimed,
  workflow: { active: boolean; definition: Definition } | null,
  matter: Matter | null,
  nowMs: number,
): Verdict {
  if (workflow === null) return { do: 'skip', reason: 'deleted' };
  if (matter === null) return { do: 'skip', reason: 'gone' };
  const { definition, active } = workflow;
  const { trigger } = definition;
  const step = definition.steps.find(({ id }) => id === run.stepId);
  const unwanted = unwantedFor(trigger, matter);
  if (unwanted !== null) return { do: 'skip', reason: unwanted };
  if (!active) return { do: 'skip', reason: 'paused' };
  if (step === undefined) return { do: 'skip', reason: 'edited' };
  if (isFiltered(definition, matter)) return { do: 'skip', reason: 'filtered' };
  const about = aboutMs(trigger, matter);
  // moved since the claim: the new time has a run of its own
  if (about !== run.aboutMs) return { do: 'skip', reason: about === null ? 'edited' : 'moved' };
  if (trigger === 'booking-rescheduled' && run.occurrence !== occurrenceOf(trigger, matter))
    return { do: 'skip', reason: 'overtaken' };
  return inTime(definition, step.action, run, matter, nowMs);
}

function inTime(
  definition: Definition,
  action: Action,
  run: Claimed,
  matter: Pick<Matter, 'startMs' | 'guestZone' | 'hostZone'>,
  nowMs: number,
): Verdict {
  if (nowMs < run.dueMs) return { do: 'wait', untilMs: run.dueMs };
  const startMs = definition.trigger === 'before-event' ? matter.startMs : null;
  // a person who says to try again, or who confirms an address, knows that it is late
  const isMeant = run.generation > 0 || run.isWaiting;
  const late = isMeant ? ({ ...definition, if_late: 'send' } as const) : definition;
  const dueMs = run.generation > 0 ? nowMs : run.dueMs;
  const lastMs = latestMs(late, dueMs, startMs);
  if (nowMs >= lastMs) return { do: 'skip', reason: run.isWaiting ? 'unproved' : 'late' };
  const zone = zoneOf(action, matter);
  const quiet =
    definition.quiet_hours === null || zone === null
      ? null
      : quietAround(nowMs, { hours: definition.quiet_hours, zone });
  if (quiet === null) return { do: 'send', action, latestMs: lastMs };
  return quiet.endMs < lastMs ? { do: 'wait', untilMs: quiet.endMs } : { do: 'skip', reason: 'quiet-hours' };
}

/** The same where no booking is concerned. */
export function judgeOther(
  run: Claimed,
  workflow: { active: boolean; definition: Definition } | null,
  hostZone: string,
  nowMs: number,
): Verdict {
  if (workflow === null) return { do: 'skip', reason: 'deleted' };
  if (!workflow.active) return { do: 'skip', reason: 'paused' };
  const step = workflow.definition.steps.find(({ id }) => id === run.stepId);
  if (step === undefined) return { do: 'skip', reason: 'edited' };
  return inTime(workflow.definition, step.action, run, { startMs: 0, guestZone: hostZone, hostZone }, nowMs);
}
