import { isDeepStrictEqual } from 'node:util';
import { loadOwner } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkDefinition } from './check-definition.ts';
import type { workflowsContract } from './contract.ts';
import { lockOwn } from './demand-own.ts';
import { workflowsTopic } from './events.ts';
import { loadWorkflow } from './load-workflow.ts';
import { replanJob } from './replan-job.ts';
import { lockWorkflows, updateWorkflow } from './store/workflow-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** A new version, unless it changes nothing; what went out by an older one stays as it was. *Errors*: AppError not-found, invalid (`INVALID`), conflict (`STALE`). */
export async function changeWorkflow(
  app: App,
  actor: Actor,
  id: WorkflowId,
  { version, name, tags, definition }: Input<typeof workflowsContract.changeWorkflow>['body'],
): Promise<void> {
  const owner = await loadWorkflow(app.db, actor, id);
  const isSame = isDeepStrictEqual(
    { name: name.trim(), tags: tags ?? owner.tags, definition },
    { name: owner.name, tags: owner.tags, definition: owner.definition },
  );
  if (version === owner.version && isSame) return;
  const { email } = await loadOwner(app.db, owner.userId);
  await checkDefinition(app, { ...owner, email }, definition);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    const change = {
      id,
      seen: version,
      name: name.trim(),
      tags: tags ?? null,
      definition,
      authorId: actor.userId,
      nowMs: app.clock.nowMs(),
    };
    if (!(await updateWorkflow(tx, change)))
      throw new AppError(
        'conflict',
        'STALE',
        'This workflow was changed elsewhere meanwhile. Nothing of yours was saved: look at it as it is now, and change it again.',
      );
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await tellOwner(app, tx, owner, workflowsTopic);
  });
}
