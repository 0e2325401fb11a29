import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { blockTimeOf, updateEdit } from './calendar-events.ts';
import { createEdit, keyOf, newEditId, newItemId } from './changes.ts';
import { editingWanted } from './events.ts';
import { overwriteAnswer } from './rules/answer.ts';
import { overwriteStep } from './rules/merge.ts';
import { isUntouched, reverseSteps, type Step, undoUntilMs } from './rules/steps.ts';
import { type Edit, type EditKind, findEdit, listOfItem, listUnwritten, lockPerson } from './store/edits.ts';

/** Locks a person's edit and runs their decision about it. *Errors*: AppError not-found. */
async function withEdit(
  app: App,
  actor: Actor,
  editId: string,
  decide: (tx: Tx, edit: Edit) => Promise<Edit | null>,
): Promise<Edit> {
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, actor.userId);
    const edit = await findEdit(tx, actor.userId, editId);
    if (edit === null) throw new AppError('not-found', 'NOT_FOUND', 'Edit not found.');
    const decided = await decide(tx, edit);
    if (decided === null) throw new Error(`edit ${edit.id} was not held`);
    await app.feed.publish(tx, actor.userId, 'edits');
    return decided;
  });
}

/**
 * Settles a conflict. `mine`: the edit's fields overwrite the current ones, other changes are kept, and a deleted event
 * is created again. `theirs`: nothing more is written, and steps that were written already are undone. *Errors*:
 * AppError not-found, conflict (TOO_LATE), limited.
 */
export function settleEdit(app: App, actor: Actor, editId: string, keep: 'mine' | 'theirs'): Promise<Edit> {
  return withEdit(app, actor, editId, async (tx, edit) => {
    const step = edit.steps[edit.step];
    if (edit.state !== 'conflict' || step === undefined)
      throw new AppError('conflict', 'TOO_LATE', 'This was already resolved.');
    if (keep === 'theirs') {
      const written = edit.steps.slice(0, edit.step);
      if (written.length > 0) return createReversal(app, tx, edit, written);
      return updateEdit(tx, edit, { state: 'undone', settledMs: app.clock.nowMs(), message: null, theirs: null });
    }
    const wanted = insisting(edit, step);
    // the response is no longer wanted
    if (wanted === null)
      return updateEdit(tx, edit, { state: 'undone', settledMs: app.clock.nowMs(), message: null, theirs: null });
    const steps = edit.steps.map((one) => (one === step ? wanted : one));
    await app.news.announce(tx, editingWanted, { connectionId: edit.connectionId });
    return resume(app, tx, edit, {
      steps,
      attempts: 0,
      notBeforeMs: 0,
      message: null,
      theirs: null,
      ...(edit.theirs === null && edit.itemId === step.itemId
        ? { itemId: steps[edit.step]?.itemId ?? edit.itemId }
        : {}),
    });
  });
}

/** A failed edit, or one in conflict, waits again and takes its time again. */
async function resume(app: App, tx: Tx, edit: Edit, change: Parameters<typeof updateEdit>[2]): Promise<Edit | null> {
  const resumed = await updateEdit(tx, edit, { ...change, state: 'pending' });
  if (resumed !== null && edit.state !== 'pending') await blockTimeOf(app, tx, resumed);
  return resumed;
}

function insisting(edit: Edit, step: Step): Step | null {
  const { theirs } = edit;
  if (step.answer !== undefined) return theirs === null ? null : overwriteAnswer(step, theirs);
  if (theirs === null) {
    const itemId = newItemId();
    return { ...step, itemId, key: keyOf(edit.id, itemId), before: null };
  }
  return overwriteStep(step, theirs);
}

/** *Errors*: AppError not-found, conflict (TOO_LATE) for what still waits or is to be decided. */
export function dismissEdit(app: App, actor: Actor, editId: string): Promise<Edit> {
  return withEdit(app, actor, editId, async (tx, edit) => {
    if (edit.state === 'pending' || edit.state === 'conflict')
      throw new AppError(
        'conflict',
        'TOO_LATE',
        'This change is still pending. Undo it or choose which version to keep.',
      );
    return updateEdit(tx, edit, { dismissed: true });
  });
}

/** *Errors*: AppError not-found, conflict (TOO_LATE). */
export function retryEdit(app: App, actor: Actor, editId: string): Promise<Edit> {
  return withEdit(app, actor, editId, async (tx, edit) => {
    if (edit.state !== 'failed' && edit.state !== 'pending')
      throw new AppError('conflict', 'TOO_LATE', "There's nothing to retry.");
    await app.news.announce(tx, editingWanted, { connectionId: edit.connectionId });
    return resume(app, tx, edit, {
      notBeforeMs: 0,
      message: null,
      refusal: null,
      settledMs: null,
      // one that is being written right now counts its attempts itself
      ...(edit.state === 'failed' ? { attempts: 1 } : {}),
    });
  });
}

const reverseKind: Record<EditKind, EditKind> = {
  create: 'delete',
  change: 'change',
  delete: 'create',
  answer: 'answer',
};

/**
 * Takes an edit back. One that nobody has begun to write is never written; any other is reversed by an edit of its own,
 * which comes after it and meets what changed since as every edit does. Answers with that one, or with the edit itself.
 * *Errors*: AppError not-found, conflict (TOO_LATE), limited.
 */
export function undoEdit(app: App, actor: Actor, editId: string): Promise<Edit> {
  return withEdit(app, actor, editId, async (tx, edit) => {
    const nowMs = app.clock.nowMs();
    if (undoUntilMs(edit, nowMs) === null)
      throw new AppError('conflict', 'TOO_LATE', 'This can no longer be undone. Nothing was changed.');
    const mayBeWritten = edit.state === 'pending' && !(await isAlone(tx, edit));
    const steps = mayBeWritten ? edit.steps : edit.steps.slice(0, edit.step);
    if (steps.length === 0) return updateEdit(tx, edit, { state: 'undone', settledMs: nowMs, message: null });
    return createReversal(app, tx, edit, steps);
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

/** Creates the edit that reverses these steps of another. The other is settled, or is still written before it. */
async function createReversal(app: App, tx: Tx, edit: Edit, steps: readonly Step[]): Promise<Edit> {
  const nowMs = app.clock.nowMs();
  const id = newEditId();
  const reversed = reverseSteps(steps, () => {
    const itemId = newItemId();
    return { itemId, key: keyOf(id, itemId) };
  });
  const [first] = reversed;
  if (first === undefined) throw new Error(`nothing of edit ${edit.id} is to be taken back`);
  const entered = await createEdit(app, tx, {
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

/** Events entered here that no calendar has yet. The rest is in the calendars. */
export function exportEdits({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('unwritten-edits.json', async () =>
      (await listUnwritten(db, userId)).map(({ id, kind, state, title, message, createdMs, steps, step }) => ({
        id,
        kind,
        state,
        title,
        message,
        createdMs,
        writes: steps.slice(step).map(({ calendarId, itemId, after }) => ({ calendarId, itemId, after })),
      })),
    ),
  ];
}
