import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { decideEdit } from './decide-edit.ts';
import { editingWanted } from './events.ts';
import { type Edit, updateEdit } from './store/edits.ts';

/** *Errors*: AppError not-found, conflict (TOO_LATE). */
export function retryEdit(app: App, actor: Actor, editId: string): Promise<Edit> {
  return decideEdit(app, actor, editId, async (tx, edit) => {
    if (edit.state !== 'failed' && edit.state !== 'pending')
      throw new AppError('conflict', 'TOO_LATE', 'There is nothing to try again.');
    await app.news.announce(tx, editingWanted, { connectionId: edit.connectionId });
    return updateEdit(tx, edit, {
      state: 'pending',
      notBeforeMs: 0,
      message: null,
      settledMs: null,
      // one that is being written right now counts its attempts itself
      ...(edit.state === 'failed' ? { attempts: 1 } : {}),
    });
  });
}
