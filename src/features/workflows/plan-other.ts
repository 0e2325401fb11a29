import { randomUUID } from 'node:crypto';
import type { OtherMatter } from './rules/other-matter.ts';
import { shiftMs } from './rules/timing.ts';
import type { RunRow } from './store/run-rows.ts';
import type { Workflow } from './store/workflow-rows.ts';

/** What begins a workflow where no booking is concerned: the same subject and occurrence begin it once. */
export interface Happened {
  subject: string;
  occurrence: number;
  facts: OtherMatter;
}

/** A run for each step. */
export function planOther(
  { id, userId, version, definition }: Workflow,
  { subject, occurrence, facts }: Happened,
  nowMs: number,
  zone: string,
): RunRow[] {
  return definition.steps.map((step, position) => ({
    id: randomUUID(),
    workflowId: id,
    userId,
    stepId: step.id,
    version,
    position,
    kind: step.action.kind,
    subject,
    bookingId: null,
    occurrence,
    state: 'planned',
    reason: null,
    facts,
    dueMs: shiftMs(nowMs, definition.offset, 1, zone),
    aboutMs: null,
  }));
}
