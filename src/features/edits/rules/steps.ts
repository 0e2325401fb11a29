import type { CalendarId, ConnectionId, ItemId } from '#kernel/ids.ts';
import type { EditableBody } from './change-event.ts';

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
  /** What stood there once it was done. */
  result?: EditableBody | null;
}

/** Of an edit, what it does to whom, in the order of time. */
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

/** What takes back these steps, the last first. `keyOf` names what has to be made anew, under an item of its own. */
export function reverseSteps(steps: readonly Step[], newItem: () => { itemId: ItemId; key: string }): Step[] {
  return steps.toReversed().map(({ calendarId, connectionId, itemId, before, after, result }) => {
    const place = { calendarId, connectionId };
    const stands = result === undefined ? after : result;
    return after === null
      ? { ...place, ...newItem(), before: null, after: before }
      : { ...place, itemId, before: stands, after: before };
  });
}
