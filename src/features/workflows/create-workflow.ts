import { randomUUID } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { StepId, WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { checkDefinition } from './check-definition.ts';
import type { workflowsContract } from './contract.ts';
import { demandOwn, lockOwn } from './demand-own.ts';
import { demandRoom } from './demand-room.ts';
import { workflowsTopic } from './events.ts';
import { replanJob } from './replan-job.ts';
import { fromTemplate } from './rules/templates.ts';
import { insertWorkflow, lockWorkflows } from './store/workflow-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Deleted workflows are kept for a while and do not count as workflows. */
const perMaker = { action: 'workflow made, account', burst: 300, periodSeconds: 86_400 };

/** *Errors*: AppError invalid (`INVALID`), limited, conflict (`TOO_MANY`), forbidden (`PLAN_LIMIT`). */
export async function createWorkflow(
  app: App,
  actor: Actor,
  {
    name,
    active = true,
    team_id,
    tags = [],
    definition: given,
    template,
  }: Input<typeof workflowsContract.createWorkflow>['body'],
): Promise<WorkflowId> {
  const definition = given ?? (template === undefined ? undefined : fromTemplate(template, randomUUID() as StepId));
  if (definition === undefined)
    throw new AppError('invalid', 'INVALID', 'A workflow needs a definition or a template.', {
      fields: { definition: 'This is needed.' },
    });
  const owner = { userId: actor.userId, teamId: team_id ?? null };
  await demandOwn(app.db, actor, owner);
  const { email } = await loadOwner(app.db, actor.userId);
  await checkDefinition(app, { ...owner, email }, definition);
  const id = randomUUID() as WorkflowId;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await demandRoom(app, tx, owner);
    await takeAllowance(tx, perMaker, actor.userId);
    await insertWorkflow(tx, { id, ...owner, name: name.trim(), tags, active, definition }, app.clock.nowMs());
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await tellOwner(app, tx, owner, workflowsTopic);
  });
  return id;
}
