import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { channels } from './perform-step.ts';
import type { WorkflowView } from './rules/workflow-endpoints.ts';
import { toWorkflowView } from './rules/workflow-view.ts';
import { countRuns } from './store/run-rows.ts';
import { listWorkflowRows } from './store/workflow-rows.ts';

/** All of somebody's, with how much of each waits, and the kinds of actions that can be done here. */
export async function listWorkflows(
  db: Database,
  userId: UserId,
): Promise<{ workflows: WorkflowView[]; kinds: string[] }> {
  const [workflows, counts] = await Promise.all([listWorkflowRows(db, userId), countRuns(db, userId)]);
  return {
    workflows: workflows.map((workflow) => toWorkflowView(workflow, counts.get(workflow.id))),
    kinds: Object.keys(channels),
  };
}
