import { bindRoutes } from '#platform/routes.ts';
import { changeForm } from './change-form.ts';
import { createForm } from './create-form.ts';
import { deleteForm } from './delete-form.ts';
import { listForms } from './list-forms.ts';
import { listTargets } from './list-targets.ts';
import { restoreForm } from './restore-form.ts';
import { formEndpoints } from './rules/form-endpoints.ts';
import { showForm } from './show-form.ts';
import { switchForm } from './switch-form.ts';
import { testForm } from './test-form.ts';

export const routes = bindRoutes(formEndpoints, {
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
  testForm: ({ app, actor, input }) => testForm(app, actor, input.body),
});
