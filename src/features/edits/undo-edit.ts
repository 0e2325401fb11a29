import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { decideEdit } from './decide-edit.ts';
import { enterEdit, keyOf, newEditId, newItemId } from './enter-edit.ts';
import { reverseSteps, type Step } from './rules/steps.ts';
import { isUntouched, undoUntilMs } from './rules/undo-window.ts';
import { type Edit, type EditKind, listOfItem, updateEdit } from './store/edits.ts';

const reverseKind: Record<EditKind, EditKind> = { create: 'delete', change: 'change', delete: 'create' };

/**
 * Takes an edit back. One that nobody has begun to write is never written; any other is reversed by an edit of its own,
 * which comes after it and meets what changed since as every edit does. Answers with that one, or with the edit itself.
 * *Errors*: AppError not-found, conflict (TOO_LATE), limited.
 */
export function undoEdit(app: App, actor: Actor, editId: string): Promise<Edit> {
  return decideEdit(app, actor, editId, async (tx, edit) => {
    const nowMs = app.clock.nowMs();
    if (undoUntilMs(edit, nowMs) === null)
      throw new AppError('conflict', 'TOO_LATE', 'This cannot be undone any more. Nothing was changed.');
    const mayBeWritten = edit.state === 'pending' && !(await isAlone(tx, edit));
    const steps = mayBeWritten ? edit.steps : edit.steps.slice(0, edit.step);
    if (steps.length === 0) return updateEdit(tx, edit, { state: 'undone', settledMs: nowMs, message: null });
    return takeBack(app, tx, edit, steps);
  });
}

/** Nothing of it was begun, and nothing was built on it. */
async function isAlone(tx: Tx, edit: Edit): Promise<boolean> {
  if (!isUntouched(edit)) return false;
  for (const { itemId } of edit.steps) {
    const [, second] = (await listOfItem(tx, edit.userId, itemId, Number.MAX_SAFE_INTEGER)).filter(
      (other) => other.state === 'pending',
    );
    if (second !== undefined) return false;
  }
  return true;
}

/** The edit that reverses these steps of another; the other is settled, or goes on being written before it. */
export async function takeBack(app: App, tx: Tx, edit: Edit, steps: readonly Step[]): Promise<Edit> {
  const nowMs = app.clock.nowMs();
  const id = newEditId();
  const reversed = reverseSteps(steps, () => {
    const itemId = newItemId();
    return { itemId, key: keyOf(id, itemId) };
  });
  const [first] = reversed;
  if (first === undefined) throw new Error(`nothing of edit ${edit.id} is to be taken back`);
  const entered = await enterEdit(app, tx, {
    id,
    userId: edit.userId,
    kind: reverseKind[edit.kind],
    calendarId: first.calendarId,
    itemId: first.itemId,
    title: edit.title,
    recId: edit.recIdAfter,
    recIdAfter: edit.recId,
    tellGuests: edit.tellGuests,
    steps: reversed,
    notBeforeMs: 0,
    createdMs: nowMs,
  });
  await updateEdit(tx, edit, {
    undoneBy: id,
    ...(edit.state === 'pending' ? {} : { state: 'undone', settledMs: nowMs, message: null }),
  });
  return entered;
}
