import { randomUUID } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { StepId, WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkDefinition } from './check-definition.ts';
import type { workflowsContract } from './contract.ts';
import { demandRoom } from './demand-room.ts';
import { workflowsTopic } from './events.ts';
import { replanJob } from './replan-job.ts';
import { fromTemplate } from './rules/templates.ts';
import { insertWorkflow, lockWorkflows } from './store/workflow-rows.ts';

/** *Errors*: AppError invalid (`INVALID`), conflict (`TOO_MANY`). */
export async function createWorkflow(
  app: App,
  { userId }: Actor,
  { name, active = true, definition: given, template }: Input<typeof workflowsContract.createWorkflow>['body'],
): Promise<WorkflowId> {
  const definition = given ?? (template === undefined ? undefined : fromTemplate(template, randomUUID() as StepId));
  if (definition === undefined)
    throw new AppError('invalid', 'INVALID', 'A workflow needs a definition or a template.', {
      fields: { definition: 'This is needed.' },
    });
  const { email } = await loadOwner(app.db, userId);
  await checkDefinition(app, { userId, teamId: null, email }, definition);
  const id = randomUUID() as WorkflowId;
  await inTransaction(app.db, async (tx) => {
    await lockWorkflows(tx, userId, 'alone');
    await demandRoom(tx, userId);
    await insertWorkflow(tx, { id, userId, teamId: null, name: name.trim(), active, definition }, app.clock.nowMs());
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await app.feed.publish(tx, userId, workflowsTopic);
  });
  return id;
}
