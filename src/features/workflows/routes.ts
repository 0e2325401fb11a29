import { bindRoutes } from '#platform/routes.ts';
import { askAddress, confirmAddress } from './addresses.ts';
import { workflowEndpoints } from './rules/workflow-endpoints.ts';
import { listWorkflowRuns, retryRun } from './runs/runs.ts';
import { previewStep, testStep } from './steps/previews.ts';
import {
  changeWorkflow,
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listVersions,
  listWorkflows,
  restoreWorkflow,
  switchWorkflow,
} from './workflows.ts';

export const routes = bindRoutes(workflowEndpoints, {
  listWorkflows: ({ app, actor }) => listWorkflows(app.db, actor.userId),
  createWorkflow: async ({ app, actor, input }) =>
    getWorkflow(app, actor, await createWorkflow(app, actor, input.body)),
  readWorkflow: ({ app, actor, input }) => getWorkflow(app, actor, input.params.id),
  changeWorkflow: async ({ app, actor, input }) => {
    await changeWorkflow(app, actor, input.params.id, input.body);
    return getWorkflow(app, actor, input.params.id);
  },
  switchWorkflow: async ({ app, actor, input }) => {
    await switchWorkflow(app, actor, input.params.id, input.body.active);
    return getWorkflow(app, actor, input.params.id);
  },
  deleteWorkflow: ({ app, actor, input }) => deleteWorkflow(app, actor, input.params.id),
  restoreWorkflow: async ({ app, actor, input }) => {
    await restoreWorkflow(app, actor, input.params.id);
    return getWorkflow(app, actor, input.params.id);
  },
  listWorkflowVersions: ({ app, actor, input }) => listVersions(app, actor, input.params.id),
  listWorkflowRuns: ({ app, actor, input }) => listWorkflowRuns(app, actor, input.params.id, input.query),
  retryRun: ({ app, actor, input }) => retryRun(app, actor, input.params.run_id),
  previewStep: ({ app, actor, input }) => previewStep(app, actor, input.body),
  testStep: ({ app, actor, input }) => testStep(app, actor, input.body),
  askAddress: ({ app, actor, input }) => askAddress(app, actor, input.body),
  confirmAddress: ({ app, actor, input }) => confirmAddress(app, actor, input.body),
});
