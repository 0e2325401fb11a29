import { loadViewer } from '#features/calendar/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type EditView, editView } from './edit-view.ts';
import type { Edit } from './store/edits.ts';

/** An edit as its person is told of it at once; what it shows in a range is asked for by range. */
export async function answerWith(app: App, actor: Actor, edit: Promise<Edit>): Promise<{ edit: EditView }> {
  const settled = await edit;
  const viewer = await loadViewer(app.db, actor.userId);
  return { edit: editView(viewer, settled, app.clock.nowMs(), { replaces: [], events: [] }) };
}
