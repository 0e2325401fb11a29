import type { RecId } from '#kernel/event.ts';
import type { CalendarId, ConnectionId, ItemId } from '#kernel/ids.ts';
import type { EditableBody } from './event.ts';

/**
 * One write of an edit. Most edits are one; what parts a series or leads to another calendar is two, what is new first, so
 * that nothing is lost in between.
 */
export interface Step {
  calendarId: CalendarId;
  connectionId: ConnectionId;
  itemId: ItemId;
  /** As the item stood when it was edited; null: it is new. */
  before: EditableBody | null;
  /** Null: it goes. */
  after: EditableBody | null;
  /** Name under which something new is created, the same in every attempt. */
  key?: string;
  /** The provider makes a meeting for what is created. */
  conference?: boolean;
  /** The step answers an invitation, and writes nothing else. */
  answer?: StepAnswer;
  /** The body after the step. */
  result?: EditableBody | null;
}

export interface StepAnswer {
  /** Answered instances by name, and '' for the event or what all instances share. */
  parts: (RecId | '')[];
  /** For the organizer; null: none; empty: an earlier one is taken out. */
  note: string | null;
  /** Whether the response was given before, and is sent once more for its note. */
  again: boolean;
  /** Once it is sent it cannot be taken back. */
  isFinal: boolean;
}

/** The steps of an edit, in the order of time. */
export interface StepsOf {
  steps: Step[];
  /** How many are done. */
  step: number;
}

/**
 * Items as they will stand once all that waits is written. `bodies`: as they stand; null: an item that is gone. Items that
 * nothing waits for are left out of the answer.
 */
export function foldSteps(edits: readonly StepsOf[]): Map<ItemId, EditableBody | null> {
  const ahead = new Map<ItemId, EditableBody | null>();
  for (const { steps, step } of edits) for (const one of steps.slice(step)) ahead.set(one.itemId, one.after);
  return ahead;
}

/** Steps that undo these steps, the last first. `newItem` names the item of an event that is created again. */
export function reverseSteps(steps: readonly Step[], newItem: () => { itemId: ItemId; key: string }): Step[] {
  return steps.toReversed().map(({ calendarId, connectionId, itemId, before, after, result, answer }) => {
    const place = {
      calendarId,
      connectionId,
      ...(answer === undefined ? {} : { answer: { ...answer, note: answer.note === null ? null : '', again: false } }),
    };
    const stands = result === undefined ? after : result;
    return after === null
      ? { ...place, ...newItem(), before: null, after: before }
      : { ...place, itemId, before: stands, after: before };
  });
}

/** Time for which a done edit can be undone. */
export const undoWithinMs = 600_000;

interface Undoable extends StepsOf {
  state: string;
  attempts: number;
  notBeforeMs: number;
  settledMs: number | null;
  undoneBy: string | null;
}

/** Until when an edit can be taken back, epoch ms: as long as it waits; null where it cannot any more. */
export function undoUntilMs(edit: Undoable, nowMs: number): number | null {
  if (edit.undoneBy !== null || edit.state === 'undone') return null;
  if (edit.state !== 'done')
    return edit.notBeforeMs > nowMs && isUntouched(edit) ? edit.notBeforeMs : Number.POSITIVE_INFINITY;
  if (edit.steps.some(({ answer }) => answer?.isFinal)) return null;
  const untilMs = (edit.settledMs ?? 0) + undoWithinMs;
  return untilMs > nowMs ? untilMs : null;
}

/** The writing of the edit has not begun. */
export const isUntouched = ({ step, attempts }: Pick<Undoable, 'step' | 'attempts'>) => step === 0 && attempts === 0;

/** An edit that nobody answers fails after this: ten minutes in all. */
export const maxAttempts = 12;

/** People wait for it: 1 s x 2^n, at most two minutes. */
export function retryAfterMs(attempts: number): number {
  return Math.min(120_000, 1_000 * 2 ** Math.max(0, attempts - 1));
}
