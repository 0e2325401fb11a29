import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { decideEdit } from './decide-edit.ts';
import { type Edit, updateEdit } from './store/edits.ts';

/** *Errors*: AppError not-found, conflict (TOO_LATE) for what still waits or is to be decided. */
export function dismissEdit(app: App, actor: Actor, editId: string): Promise<Edit> {
  return decideEdit(app, actor, editId, async (tx, edit) => {
    if (edit.state === 'pending' || edit.state === 'conflict')
      throw new AppError('conflict', 'TOO_LATE', 'This still waits: take it back, or choose what shall be.');
    return updateEdit(tx, edit, { dismissed: true });
  });
}
