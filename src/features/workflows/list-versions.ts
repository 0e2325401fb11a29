import type { Output } from '#kernel/contract.ts';
import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { workflowsContract } from './contract.ts';
import { loadWorkflow } from './load-workflow.ts';
import { listVersionRows } from './store/workflow-rows.ts';

/** What a workflow was, newest first. *Errors*: AppError not-found. */
export async function listVersions(
  app: App,
  actor: Actor,
  id: WorkflowId,
): Promise<Output<typeof workflowsContract.listWorkflowVersions>> {
  await loadWorkflow(app.db, actor, id);
  const versions = await listVersionRows(app.db, id);
  return { versions: versions.map(({ n, definition, createdMs }) => ({ n, definition, at: createdMs })) };
}
