import { bindRoutes } from '#platform/routes.ts';
import { answerWith } from './answer-with.ts';
import { changeEvent } from './change-event.ts';
import { chooseEdit } from './choose-edit.ts';
import { editsContract } from './contract.ts';
import { createEvent } from './create-event.ts';
import { deleteEvent } from './delete-event.ts';
import { dismissEdit } from './dismiss-edit.ts';
import { listEdits } from './list-edits.ts';
import { readEvent } from './read-event.ts';
import { retryEdit } from './retry-edit.ts';
import { undoEdit } from './undo-edit.ts';

export const routes = bindRoutes(editsContract, {
  createEvent: ({ app, actor, input }) => answerWith(app, actor, createEvent(app, actor, input.body)),
  changeEvent: ({ app, actor, input }) => answerWith(app, actor, changeEvent(app, actor, input.params.id, input.body)),
  deleteEvent: ({ app, actor, input: { params, query } }) => {
    const { scope, version, tell_guests: tell } = query;
    return answerWith(app, actor, deleteEvent(app, actor, params.id, { scope, version, tellGuests: tell === 'true' }));
  },
  readEvent: async ({ app, actor, input }) => ({ event: await readEvent(app, actor, input.params.event_id) }),
  listEdits: async ({ app, actor, input }) => ({ edits: await listEdits(app, actor, input.query) }),
  undoEdit: ({ app, actor, input }) => answerWith(app, actor, undoEdit(app, actor, input.params.edit_id)),
  retryEdit: ({ app, actor, input }) => answerWith(app, actor, retryEdit(app, actor, input.params.edit_id)),
  chooseEdit: ({ app, actor, input }) =>
    answerWith(app, actor, chooseEdit(app, actor, input.params.edit_id, input.body.keep)),
  dismissEdit: ({ app, actor, input }) => answerWith(app, actor, dismissEdit(app, actor, input.params.edit_id)),
});
