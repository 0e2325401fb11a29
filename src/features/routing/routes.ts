import { bindRoutes } from '#platform/routes.ts';
import { changeForm } from './change-form.ts';
import { routingContract } from './contract.ts';
import { createForm } from './create-form.ts';
import { deleteForm } from './delete-form.ts';
import { listForms } from './list-forms.ts';
import { listSubmissions } from './list-submissions.ts';
import { listTargets } from './list-targets.ts';
import { readFairness } from './read-fairness.ts';
import { reroute } from './reroute.ts';
import { restoreForm } from './restore-form.ts';
import { showForm } from './show-form.ts';
import { showSubmission } from './show-submission.ts';
import { switchForm } from './switch-form.ts';
import { testForm } from './test-form.ts';

export const routes = bindRoutes(routingContract, {
  listForms: ({ app, actor }) => listForms(app, actor),
  createForm: async ({ app, actor, input }) => showForm(app, actor, await createForm(app, actor, input.body)),
  readForm: ({ app, actor, input }) => showForm(app, actor, input.params.id),
  changeForm: async ({ app, actor, input }) => {
    await changeForm(app, actor, input.params.id, input.body);
    return showForm(app, actor, input.params.id);
  },
  switchForm: async ({ app, actor, input }) => {
    await switchForm(app, actor, input.params.id, input.body.active);
    return showForm(app, actor, input.params.id);
  },
  deleteForm: ({ app, actor, input }) => deleteForm(app, actor, input.params.id),
  restoreForm: async ({ app, actor, input }) => {
    await restoreForm(app, actor, input.params.id);
    return showForm(app, actor, input.params.id);
  },
  listTargets: ({ app, actor, input }) => listTargets(app, actor, input.query.team_id ?? null),
  listSubmissions: ({ app, actor, input }) => listSubmissions(app, actor, input.params.id, input.query),
  readSubmission: ({ app, actor, input }) => showSubmission(app, actor, input.params.submission_id),
  reroute: async ({ app, actor, input }) => {
    await reroute(app, actor, input.params.submission_id, input.body);
    return showSubmission(app, actor, input.params.submission_id);
  },
  readFairness: ({ app, actor, input }) => readFairness(app, actor, input.query),
  testForm: ({ app, actor, input }) => testForm(app, actor, input.body),
});
