import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { loadWorkflow } from './load-workflow.ts';
import type { WorkflowView } from './rules/workflow-endpoints.ts';
import { toWorkflowView } from './rules/workflow-view.ts';
import { countRuns } from './store/run-rows.ts';

/** One of theirs, as it is now. *Errors*: as `loadWorkflow`. */
export async function showWorkflow({ db }: App, actor: Actor, id: WorkflowId): Promise<{ workflow: WorkflowView }> {
  const [workflow, counts] = await Promise.all([loadWorkflow(db, actor, id), countRuns(db, [id])]);
  return { workflow: toWorkflowView(workflow, counts.get(id)) };
}
