import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db.ts';
import { demandOwn, noSuchWorkflow } from './demand-own.ts';
import { findWorkflows, type Workflow } from './store/workflow-rows.ts';

/** A workflow of theirs, or of a team whose workflows are theirs to manage. *Errors*: as `demandOwn`. */
export async function loadWorkflow(db: Database, actor: Actor, id: WorkflowId): Promise<Workflow> {
  const workflow = (await findWorkflows(db, [id])).get(id);
  if (workflow === undefined) throw noSuchWorkflow();
  await demandOwn(db, actor, workflow);
  return workflow;
}
