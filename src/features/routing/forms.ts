import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { findHandleOf, listTeamHandles, listTypesOf } from '#features/booking/public.ts';
import { longestSlug, nameForAddress } from '#features/booking/rules/handle.ts';
import { listMemberIds, listTeamsOf, may, requirePermission } from '#features/teams/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { FormId, UserId } from '#kernel/ids.ts';
import { shownName, shownTextsIn } from '#kernel/text/shown-text.ts';
import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { ListenerApp } from '#platform/news.ts';
import type { routingContract } from './contract.ts';
import { routingTopic } from './events.ts';
import type { Action } from './rules/action.ts';
import { checkForm } from './rules/check-form.ts';
import { gone, nobody } from './rules/fact.ts';
import type { Definition } from './rules/form-definition.ts';
import { type FormOwner, formOwnerOf, mostForms, restorableDays } from './rules/form-owner.ts';
import { type Seen, toFormView } from './rules/form-view.ts';
import { judgeAction } from './rules/judge-action.ts';
import {
  countSubmissions,
  type Form,
  findDeletedForm,
  findForm,
  insertForm,
  listForms as listRows,
  listSlugs,
  lockForms,
  markDeleted,
  slugIsTaken,
  switchFormRow,
  unmarkDeleted,
  updateForm,
} from './store/form-rows.ts';

export type Need = 'see-team' | 'see-bookings' | 'manage-routing';

/** Whether what belongs to this owner is theirs to see or change. *Errors*: AppError not-found, forbidden. */
export async function requireOwner(
  db: Database,
  actor: { userId: UserId },
  { userId, teamId }: FormOwner,
  need: Need,
): Promise<void> {
  if (teamId !== null) await requirePermission(db, actor, teamId, need);
  else if (userId !== actor.userId) throw noSuchForm();
}

/** `requireOwner` inside the transaction of a change, before its other locks. *Errors*: as `requireOwner`. */
export async function lockOwner(
  tx: Tx,
  actor: { userId: UserId },
  { userId, teamId }: FormOwner,
  need: Need = 'manage-routing',
): Promise<void> {
  if (teamId !== null) await requirePermission(tx, actor, teamId, need, 'lock');
  else if (userId !== actor.userId) throw noSuchForm();
}

const noSuchForm = () => new AppError('not-found', 'NOT_FOUND', 'Form not found.');

/** A form of theirs, or of a team in which they may do this. *Errors*: AppError not-found, forbidden. */
export async function requireForm(
  db: Database,
  actor: { userId: UserId },
  id: FormId,
  need: Need,
): Promise<Form & FormOwner> {
  const form = (await findForm(db, id)) as (Form & FormOwner) | null;
  if (form === null) throw noSuchForm();
  await requireOwner(db, actor, form, need);
  return form;
}

/** Forms of a person and of their teams; four queries. */
export async function listForms(
  { db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>,
  { userId }: Pick<Actor, 'userId'>,
): Promise<Output<typeof routingContract.listForms>> {
  const teams = await listTeamsOf(db, userId);
  const ids = teams.map(({ id }) => id);
  const [handle, handles, rows] = await Promise.all([
    findHandleOf(db, userId),
    listTeamHandles(db, ids),
    listRows(db, userId, ids, clock.nowMs() - 30 * dayMs),
  ]);
  const seen = new Map<string, Seen>(
    teams.map(({ id, role }) => [
      id,
      {
        base: config.publicUrl,
        handle: handles.get(id) ?? null,
        mayChange: may(role, 'manage-routing'),
        maySeeAnswers: may(role, 'see-bookings'),
      },
    ]),
  );
  const own: Seen = { base: config.publicUrl, handle, mayChange: true, maySeeAnswers: true };
  return {
    forms: rows.map((row) =>
      toFormView(row, (row.teamId === null ? undefined : seen.get(row.teamId)) ?? own, row.submissions),
    ),
    teams: teams.map(({ id, name, role }) => ({ team_id: id, name, may_change: may(role, 'manage-routing') })),
  };
}

/** A form as it is now, whole. *Errors*: as `requireForm`. */
export async function getForm(
  { db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>,
  actor: Actor,
  id: FormId,
): Promise<Output<typeof routingContract.readForm>> {
  const form = await requireForm(db, actor, id, 'see-team');
  const [handle, submissions, role] = await Promise.all([
    findHandleOf(db, form.teamId ?? form.userId),
    countSubmissions(db, id, clock.nowMs() - 30 * dayMs),
    form.teamId === null
      ? ('owner' as const)
      : requirePermission(db, actor, form.teamId, 'see-team').then((one) => one.role),
  ]);
  const seen = {
    base: config.publicUrl,
    handle,
    mayChange: may(role, 'manage-routing'),
    maySeeAnswers: may(role, 'see-bookings'),
  };
  const { definition } = form;
  const shown = { ...form, type: definition.type, rules: definition.rules.length };
  return { form: toFormView(shown, seen, submissions), definition };
}

/** Deleted forms are kept for a while and do not count as forms. */
const perMaker = { action: 'form made, account', burst: 300, periodSeconds: 86_400 };

/** The addresses that are taken. *Errors*: AppError conflict (`TOO_MANY`). */
async function requireRoom(tx: Tx, owner: FormOwner): Promise<Set<string>> {
  const taken = new Set(await listSlugs(tx, owner));
  if (taken.size >= mostForms)
    throw new AppError('conflict', 'TOO_MANY', `You can have up to ${mostForms} forms. Delete one first.`);
  return taken;
}

const slugTaken = () =>
  new AppError('conflict', 'SLUG_TAKEN', 'Another form already has this address. Choose another name.', {
    fields: { slug: 'Another form already has this address.' },
  });

/**
 * Refuses a definition that cannot answer everybody, has rules that come to no turn, or leads to what is not there.
 * *Errors*: AppError invalid (`INVALID`) with the fields.
 */
async function checkDefinition(db: Database, owner: FormOwner, definition: Definition): Promise<void> {
  const fields: Record<string, string> = {};
  for (const { path, message } of checkForm(definition)) fields[`definition.${path}`] ??= message;
  // readers of the reasons see the names of people in rules
  const mates: string[] = owner.teamId === null ? [owner.userId] : await listMemberIds(db, owner.teamId);
  for (const [n, { conditions }] of definition.rules.entries())
    for (const [at, one] of conditions.entries())
      if (
        (one.op === 'owner' || one.op === 'owner-not') &&
        !one.values.every((id) => id === nobody || id === gone || mates.includes(id))
      )
        fields[`definition.rules.${n}.conditions.${at}.values`] ??=
          "One of these people isn't in the team. Choose someone else.";
  const targets = new Map((await listTypesOf(db, owner)).map((type) => [type.id, type]));
  const actions: [path: string, action: Action][] = [
    ...definition.rules.map(({ action }, n): [string, Action] => [`rules.${n}.action`, action]),
    ['fallback', definition.fallback],
  ];
  for (const [path, action] of actions) {
    if (action.kind !== 'event-type') continue;
    const target = targets.get(action.event_type_id);
    const wrong = judgeAction(action, target, definition.type);
    if (wrong !== null) fields[`definition.${path}.${wrong.field}`] ??= wrong.message;
    const closed = definition.frames.find((frame) => target?.settings.frames.includes(frame) === false);
    if (closed !== undefined)
      fields['definition.frames'] ??=
        `“${target?.title}” can't be embedded on ${closed}, where this form sends visitors. Add the site to the event type too.`;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid', 'INVALID', "The form wasn't saved. Fix the highlighted fields.", {
      fields,
    });
}

/** The texts of a form that visitors are shown. *Errors*: AppError invalid (INVALID_INPUT). */
function shownTexts({ name, description, definition }: { name: string; description: string; definition: Definition }) {
  return {
    name: shownName(name, 'name'),
    description: withoutUnseen(description),
    definition: shownTextsIn(definition, 'definition'),
  };
}

/** *Errors*: AppError invalid (`INVALID`), conflict (`SLUG_TAKEN`, `TOO_MANY`); as `requirePermission`. */
export async function createForm(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  actor: Actor,
  body: Input<typeof routingContract.createForm>['body'],
): Promise<FormId> {
  const { team_id: teamId = null, active = true } = body;
  const { name, description, definition } = shownTexts({ ...body, description: body.description ?? '' });
  const owner = formOwnerOf(actor.userId, teamId);
  await requireOwner(app.db, actor, owner, 'manage-routing');
  await checkDefinition(app.db, owner, definition);
  const id = randomUUIDv7() as FormId;
  await inTransaction(app.db, async (tx) => {
    await lockOwner(tx, actor, owner);
    await lockForms(tx, owner);
    const taken = await requireRoom(tx, owner);
    if (body.slug !== undefined && taken.has(body.slug)) throw slugTaken();
    await takeAllowance(tx, perMaker, actor.userId);
    const slug = body.slug ?? freeSlug(name, taken);
    await insertForm(tx, { id, ...owner, name, description, slug, active, definition }, app.clock.nowMs());
    await notifyOwner(app, tx, owner);
  });
  return id;
}

function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const base = nameForAddress(name, longestSlug - 4) || 'form';
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}

/**
 * Changes a form. Earlier submissions keep their decisions. A change without a difference makes no revision.
 * *Errors*: AppError invalid (`INVALID`), conflict (`STALE`, `SLUG_TAKEN`).
 */
export async function changeForm(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  actor: Actor,
  id: FormId,
  { revision, ...given }: Input<typeof routingContract.changeForm>['body'],
): Promise<void> {
  const body = { ...given, ...shownTexts(given) };
  const form = await requireForm(app.db, actor, id, 'manage-routing');
  const { description, slug, definition } = form;
  const isSame = isDeepStrictEqual(body, { name: form.name, description, slug, definition });
  if (revision === form.revision && isSame) return;
  await checkDefinition(app.db, form, body.definition);
  await inTransaction(app.db, async (tx) => {
    await lockOwner(tx, actor, form);
    if (!(await updateForm(tx, revision, { id, ...body }, app.clock.nowMs())))
      throw new AppError(
        'conflict',
        'STALE',
        "This form was changed in another window. Your changes weren't saved. Reload it and try again.",
      );
    await notifyOwner(app, tx, form);
  }).catch((error: unknown) => {
    throw slugIsTaken(error) ? slugTaken() : error;
  });
}

/** *Errors*: as `requireForm`. */
export async function switchForm(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  actor: Actor,
  id: FormId,
  active: boolean,
): Promise<void> {
  const form = await requireForm(app.db, actor, id, 'manage-routing');
  if (form.active === active) return;
  await inTransaction(app.db, async (tx) => {
    await lockOwner(tx, actor, form);
    await switchFormRow(tx, id, active, app.clock.nowMs());
    await notifyOwner(app, tx, form);
  });
}

/** The form takes no more answers; its bookings stay. *Errors*: as `requireForm`. */
export async function deleteForm(app: Pick<App, 'db' | 'clock' | 'feed'>, actor: Actor, id: FormId): Promise<void> {
  const form = await requireForm(app.db, actor, id, 'manage-routing');
  await inTransaction(app.db, async (tx) => {
    await lockOwner(tx, actor, form);
    await markDeleted(tx, id, app.clock.nowMs());
    await notifyOwner(app, tx, form);
  });
}

/** *Errors*: AppError not-found, forbidden, conflict (`SLUG_TAKEN`, `TOO_MANY`). */
export async function restoreForm(app: Pick<App, 'db' | 'clock' | 'feed'>, actor: Actor, id: FormId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const form = await findDeletedForm(tx, id, app.clock.nowMs() - restorableDays * dayMs);
    if (form === null)
      throw new AppError('not-found', 'NOT_FOUND', 'Form not found, or deleted too long ago to restore.');
    const owner = form as typeof form & FormOwner;
    await lockOwner(tx, actor, owner);
    await lockForms(tx, owner);
    if ((await requireRoom(tx, owner)).has(form.slug)) throw slugTaken();
    await unmarkDeleted(tx, id);
    await notifyOwner(app, tx, owner);
  });
}

/** The open screens of everybody whose forms these are look again. */
export async function notifyOwner(
  { feed }: Pick<ListenerApp, 'feed'>,
  tx: Tx,
  { userId, teamId }: FormOwner,
): Promise<void> {
  await feed.publishToAll(tx, teamId === null ? [userId] : await listMemberIds(tx, teamId), routingTopic);
}
