import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { decideEdit } from './decide-edit.ts';
import { keyOf, newItemId } from './enter-edit.ts';
import { editingWanted } from './events.ts';
import { insistOn } from './rules/insist-on.ts';
import type { Step } from './rules/steps.ts';
import { type Edit, updateEdit } from './store/edits.ts';
import { takeBack } from './undo-edit.ts';

/**
 * Settles a conflict. Mine: what the edit touches is written over what stands now, the rest of theirs is kept; what they
 * deleted is made anew. Theirs: nothing more is written, and what was written of it already is taken back.
 * *Errors*: AppError not-found, conflict (TOO_LATE), limited.
 */
export function chooseEdit(app: App, actor: Actor, editId: string, keep: 'mine' | 'theirs'): Promise<Edit> {
  return decideEdit(app, actor, editId, async (tx, edit) => {
    const step = edit.steps[edit.step];
    if (edit.state !== 'conflict' || step === undefined)
      throw new AppError('conflict', 'TOO_LATE', 'This is settled already.');
    if (keep === 'theirs') {
      const written = edit.steps.slice(0, edit.step);
      if (written.length > 0) return takeBack(app, tx, edit, written);
      return updateEdit(tx, edit, { state: 'undone', settledMs: app.clock.nowMs(), message: null, theirs: null });
    }
    const steps = edit.steps.map((one) => (one === step ? insisting(edit, step) : one));
    await app.news.announce(tx, editingWanted, { connectionId: edit.connectionId });
    return updateEdit(tx, edit, {
      state: 'pending',
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

function insisting(edit: Edit, step: Step): Step {
  const { theirs } = edit;
  if (theirs === null) {
    const itemId = newItemId();
    return { ...step, itemId, key: keyOf(edit.id, itemId), before: null };
  }
  return insistOn(step, theirs);
}
