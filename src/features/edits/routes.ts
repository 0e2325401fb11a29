import { bindRoutes } from '#platform/routes.ts';
import { getEvent } from './calendar-events.ts';
import { answerInvitation, changeEvent, createEvent, deleteEvent } from './changes.ts';
import { editsContract } from './contract.ts';
import { dismissEdit, retryEdit, settleEdit, undoEdit } from './edits.ts';
import { listEdits, toEditAnswer } from './views.ts';

export const routes = bindRoutes(editsContract, {
  createEvent: ({ app, actor, input }) => toEditAnswer(app, actor, createEvent(app, actor, input.body)),
  changeEvent: ({ app, actor, input }) =>
    toEditAnswer(app, actor, changeEvent(app, actor, input.params.id, input.body)),
  deleteEvent: ({ app, actor, input: { params, query } }) => {
    const { scope, version, tell_guests: tell } = query;
    return toEditAnswer(
      app,
      actor,
      deleteEvent(app, actor, params.id, { scope, version, tellGuests: tell === 'true' }),
    );
  },
  answerInvitation: ({ app, actor, input }) =>
    toEditAnswer(app, actor, answerInvitation(app, actor, input.params.event_id, input.body)),
  readEvent: async ({ app, actor, input }) => ({ event: await getEvent(app, actor, input.params.event_id) }),
  listEdits: async ({ app, actor, input }) => ({ edits: await listEdits(app, actor, input.query) }),
  undoEdit: ({ app, actor, input }) => toEditAnswer(app, actor, undoEdit(app, actor, input.params.edit_id)),
  retryEdit: ({ app, actor, input }) => toEditAnswer(app, actor, retryEdit(app, actor, input.params.edit_id)),
  chooseEdit: ({ app, actor, input }) =>
    toEditAnswer(app, actor, settleEdit(app, actor, input.params.edit_id, input.body.keep)),
  dismissEdit: ({ app, actor, input }) => toEditAnswer(app, actor, dismissEdit(app, actor, input.params.edit_id)),
});
