import { bindRoutes } from '#platform/routes.ts';
import { testForm } from './answers.ts';
import { routingContract } from './contract.ts';
import { listTargets } from './destinations.ts';
import { changeForm, createForm, deleteForm, getForm, listForms, restoreForm, switchForm } from './forms.ts';
import { getFairness } from './routing.ts';
import { getSubmission, listSubmissions, reroute } from './submissions.ts';

export const routes = bindRoutes(routingContract, {
  listForms: ({ app, actor }) => listForms(app, actor),
  createForm: async ({ app, actor, input }) => getForm(app, actor, await createForm(app, actor, input.body)),
  readForm: ({ app, actor, input }) => getForm(app, actor, input.params.id),
  changeForm: async ({ app, actor, input }) => {
    await changeForm(app, actor, input.params.id, input.body);
    return getForm(app, actor, input.params.id);
  },
  switchForm: async ({ app, actor, input }) => {
    await switchForm(app, actor, input.params.id, input.body.active);
    return getForm(app, actor, input.params.id);
  },
  deleteForm: ({ app, actor, input }) => deleteForm(app, actor, input.params.id),
  restoreForm: async ({ app, actor, input }) => {
    await restoreForm(app, actor, input.params.id);
    return getForm(app, actor, input.params.id);
  },
  listTargets: ({ app, actor, input }) => listTargets(app, actor, input.query.team_id ?? null),
  listSubmissions: ({ app, actor, input }) => listSubmissions(app, actor, input.params.id, input.query),
  readSubmission: ({ app, actor, input }) => getSubmission(app, actor, input.params.submission_id),
  reroute: async ({ app, actor, input }) => {
    await reroute(app, actor, input.params.submission_id, input.body);
    return getSubmission(app, actor, input.params.submission_id);
  },
  readFairness: ({ app, actor, input }) => getFairness(app, actor, input.query),
  testForm: ({ app, actor, input }) => testForm(app, actor, input.body),
});
