import { bindRoutes } from '#platform/routes.ts';
import { askAddress } from './ask-address.ts';
import { changeWorkflow } from './change-workflow.ts';
import { confirmAddress } from './confirm-address.ts';
import { createWorkflow } from './create-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { listVersions } from './list-versions.ts';
import { listWorkflowRuns } from './list-workflow-runs.ts';
import { listWorkflows } from './list-workflows.ts';
import { previewStep } from './preview-step.ts';
import { restoreWorkflow } from './restore-workflow.ts';
import { retryRun } from './retry-run.ts';
import { workflowEndpoints } from './rules/workflow-endpoints.ts';
import { showWorkflow } from './show-workflow.ts';
import { switchWorkflow } from './switch-workflow.ts';
import { testStep } from './test-step.ts';

export const routes = bindRoutes(workflowEndpoints, {
  listWorkflows: ({ app, actor }) => listWorkflows(app.db, actor.userId),
  createWorkflow: async ({ app, actor, input }) =>
    showWorkflow(app, actor, await createWorkflow(app, actor, input.body)),
  readWorkflow: ({ app, actor, input }) => showWorkflow(app, actor, input.params.id),
  changeWorkflow: async ({ app, actor, input }) => {
    await changeWorkflow(app, actor, input.params.id, input.body);
    return showWorkflow(app, actor, input.params.id);
  },
  switchWorkflow: async ({ app, actor, input }) => {
    await switchWorkflow(app, actor, input.params.id, input.body.active);
    return showWorkflow(app, actor, input.params.id);
  },
  deleteWorkflow: ({ app, actor, input }) => deleteWorkflow(app, actor, input.params.id),
  restoreWorkflow: async ({ app, actor, input }) => {
    await restoreWorkflow(app, actor, input.params.id);
    return showWorkflow(app, actor, input.params.id);
  },
  listWorkflowVersions: ({ app, actor, input }) => listVersions(app, actor, input.params.id),
  listWorkflowRuns: ({ app, actor, input }) => listWorkflowRuns(app, actor, input.params.id, input.query),
  retryRun: ({ app, actor, input }) => retryRun(app, actor, input.params.run_id),
  previewStep: ({ app, actor, input }) => previewStep(app, actor, input.body),
  testStep: ({ app, actor, input }) => testStep(app, actor, input.body),
  askAddress: ({ app, actor, input }) => askAddress(app, actor, input.body),
  confirmAddress: ({ app, actor, input }) => confirmAddress(app, actor, input.body),
});
