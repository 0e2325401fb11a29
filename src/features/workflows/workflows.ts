import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { loadOwner } from '#features/accounts/public.ts';
import { listTeamsOf, may, ownerOf } from '#features/teams/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { StepId, UserId, WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { takeAllowance } from '#platform/limits.ts';
import { exportChannels } from './channels/credentials.ts';
import type { workflowsContract } from './contract.ts';
import { workflowsTopic } from './events.ts';
import { emitToOwner, lockOwn, noSuchWorkflow, requireAccess, requireRoom } from './owners.ts';
import { fromTemplate } from './rules/templates.ts';
import type { WorkflowView } from './rules/workflow-endpoints.ts';
import { toWorkflowView } from './rules/workflow-view.ts';
import { replanJob } from './runs/jobs.ts';
import { channels, checkDefinition } from './steps/steps.ts';
import { listAddresses } from './store/address-rows.ts';
import { listStopped } from './store/reader-rows.ts';
import { countRuns, listAllRuns } from './store/run-rows.ts';
import {
  findDeleted,
  findWorkflows,
  insertWorkflow,
  listAllWorkflows,
  listVersionRows,
  listWorkflowRows,
  lockWorkflows,
  markDeleted,
  passOnWorkflows,
  switchWorkflowRow,
  unmarkDeleted,
  updateWorkflow,
  type Workflow,
} from './store/workflow-rows.ts';

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
    throw new AppError('invalid', 'INVALID', 'Send a definition or a template for the workflow.', {
      fields: { definition: 'This field is required.' },
    });
  const owner = { userId: actor.userId, teamId: team_id ?? null };
  await requireAccess(app.db, actor, owner);
  const { email } = await loadOwner(app.db, actor.userId);
  await checkDefinition(app, { ...owner, email }, definition);
  const id = randomUUID() as WorkflowId;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await requireRoom(app, tx, owner);
    await takeAllowance(tx, perMaker, actor.userId);
    await insertWorkflow(tx, { id, ...owner, name: name.trim(), tags, active, definition }, app.clock.nowMs());
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await emitToOwner(app, tx, owner, workflowsTopic);
  });
  return id;
}

/** A new version, unless it changes nothing; what went out by an older one stays as it was. *Errors*: AppError not-found, invalid (`INVALID`), conflict (`STALE`). */
export async function changeWorkflow(
  app: App,
  actor: Actor,
  id: WorkflowId,
  { version, name, tags, definition }: Input<typeof workflowsContract.changeWorkflow>['body'],
): Promise<void> {
  const owner = await requireWorkflow(app.db, actor, id);
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
        "This workflow was changed in another window. Your changes weren't saved. Reload it and try again.",
      );
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await emitToOwner(app, tx, owner, workflowsTopic);
  });
}

/** Pauses or resumes a workflow. *Errors*: AppError not-found. */
export async function switchWorkflow(app: App, actor: Actor, id: WorkflowId, active: boolean): Promise<void> {
  const owner = await requireWorkflow(app.db, actor, id);
  if (owner.active === active) return;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await switchWorkflowRow(tx, id, active);
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await emitToOwner(app, tx, owner, workflowsTopic);
  });
}

/** Nothing of it goes out any more; it can be taken back for 30 days. *Errors*: AppError not-found. */
export async function deleteWorkflow(app: App, actor: Actor, id: WorkflowId): Promise<void> {
  const owner = await requireWorkflow(app.db, actor, id);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await markDeleted(tx, id);
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await emitToOwner(app, tx, owner, workflowsTopic);
  });
}

/** Takes a deletion back. *Errors*: AppError not-found, conflict (`TOO_MANY`), forbidden (`PLAN_LIMIT`). */
export async function restoreWorkflow(app: App, actor: Actor, id: WorkflowId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const owner = await findDeleted(tx, id);
    if (owner === null) throw noSuchWorkflow();
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await requireRoom(app, tx, owner);
    await unmarkDeleted(tx, id);
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await emitToOwner(app, tx, owner, workflowsTopic);
  });
}

/**
 * A person's own workflows and those of teams where they may manage workflows, with how much of each waits, and the kinds of actions
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

/** One of theirs, as it is now. *Errors*: as `requireWorkflow`. */
export async function getWorkflow({ db }: App, actor: Actor, id: WorkflowId): Promise<{ workflow: WorkflowView }> {
  const [workflow, counts] = await Promise.all([requireWorkflow(db, actor, id), countRuns(db, [id])]);
  return { workflow: toWorkflowView(workflow, counts.get(id)) };
}

/** Versions of a workflow, newest first. *Errors*: AppError not-found. */
export async function listVersions(
  app: App,
  actor: Actor,
  id: WorkflowId,
): Promise<Output<typeof workflowsContract.listWorkflowVersions>> {
  await requireWorkflow(app.db, actor, id);
  const versions = await listVersionRows(app.db, id);
  return { versions: versions.map(({ n, definition, createdMs }) => ({ n, definition, at: createdMs })) };
}

/** A workflow of theirs, or of a team whose workflows are theirs to manage. *Errors*: as `requireAccess`. */
export async function requireWorkflow(db: Database, actor: Actor, id: WorkflowId): Promise<Workflow> {
  const workflow = (await findWorkflows(db, [id])).get(id);
  if (workflow === undefined) throw noSuchWorkflow();
  await requireAccess(db, actor, workflow);
  return workflow;
}

/** Workflows go on for their teams while their maker can do nothing: the owners of the teams have them from here on. */
export async function passOnOwned(tx: Tx, userId: UserId): Promise<void> {
  for (const { id, role } of await listTeamsOf(tx, userId))
    if (role !== 'owner') await passOnWorkflows(tx, id, userId, ownerOf(id));
}

type Page = Parameters<typeof listAllWorkflows>[2];

/** Few: all versions of each come with it. */
const pageWorkflows = 5;

/** A person's workflows for an export: all versions, their runs, and the addresses that agreed. */
export function exportWorkflows(app: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  const { db } = app;
  return [
    listPart('workflows.json', (page: Page) => listAllWorkflows(db, userId, page), { limit: pageWorkflows }),
    jsonPart('workflow-runs.json', () => listAllRuns(db, userId)),
    jsonPart('workflow-addresses.json', () => listAddresses(db, userId)),
    jsonPart('workflow-stopped-addresses.json', () => listStopped(db, userId)),
    ...exportChannels(app, userId),
  ];
}
