import { listTeamsOf, may } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { workflowsContract } from './contract.ts';
import { channels } from './perform-step.ts';
import { toWorkflowView } from './rules/workflow-view.ts';
import { countRuns } from './store/run-rows.ts';
import { listWorkflowRows } from './store/workflow-rows.ts';

/**
 * Somebody's own and those of the teams whose workflows they may manage, with how much of each waits, and the kinds of actions
 * that can be done here.
 */
export async function listWorkflows(
  db: Database,
  userId: UserId,
): Promise<Output<typeof workflowsContract.listWorkflows>> {
  const teams = (await listTeamsOf(db, userId)).filter(({ role }) => may(role, 'manage-workflows'));
  const teamIds = teams.map(({ id }) => id);
  const workflows = await listWorkflowRows(db, userId, teamIds);
  const counts = await countRuns(
    db,
    workflows.map(({ id }) => id),
  );
  return {
    workflows: workflows.map((workflow) => toWorkflowView(workflow, counts.get(workflow.id))),
    teams: teams.map(({ id, name }) => ({ team_id: id, name })),
    kinds: Object.keys(channels),
  };
}
