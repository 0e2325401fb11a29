import { listHosts } from '#features/accounts/public.ts';
import { endRouted, forgetHost, listRouted, reassignBooking } from '#features/booking/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { FormId, SubmissionId, TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import type { routingContract } from './contract.ts';
import { checkAction, chooseDestination, createLink } from './destinations.ts';
import { lockOwner, type Need, notifyOwner, requireForm } from './forms.ts';
import type { Action } from './rules/action.ts';
import { type DecisionRecord, nameOwners, toReasonView } from './rules/decision.ts';
import { noFacts } from './rules/fact.ts';
import type { FormOwner } from './rules/form-owner.ts';
import { withoutHost } from './rules/without-host.ts';
import { type Form, lockTeamForms, rewriteForm } from './store/form-rows.ts';
import {
  findSubmission,
  forgetHostOf,
  forgetOwnerOf,
  insertReroute,
  listSubmissionRows,
  redecide,
  type Submission,
} from './store/submission-rows.ts';

/** A submission of the caller's form, or of a team that permits it. *Errors*: AppError not-found, forbidden. */
async function requireSubmission(
  db: Database,
  actor: { userId: UserId },
  id: SubmissionId,
  need: Need,
): Promise<{ submission: Submission; form: Form & FormOwner }> {
  const submission = await findSubmission(db, id);
  if (submission === null)
    throw new AppError('not-found', 'NOT_FOUND', 'Submission not found. Old submissions are deleted automatically.');
  return { submission, form: await requireForm(db, actor, submission.formId, need) };
}

/** Submissions of a form. Needs the right to see the team's bookings, as re-routing does. *Errors*: as `requireForm`. */
export async function listSubmissions(
  app: App,
  actor: Actor,
  id: FormId,
  { only, after, limit = 30 }: Input<typeof routingContract.listSubmissions>['query'],
): Promise<Output<typeof routingContract.listSubmissions>> {
  await requireForm(app.db, actor, id, 'see-bookings');
  const rows = await listSubmissionRows(app.db, id, { only: only ?? null, after: after ?? null, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return { submissions: await toSubmissionViews(app, actor, shown), more: rows.length > shown.length };
}

/** *Errors*: as `requireSubmission`. */
export async function getSubmission(
  app: App,
  actor: Actor,
  id: SubmissionId,
): Promise<Output<typeof routingContract.readSubmission>> {
  const { submission } = await requireSubmission(app.db, actor, id, 'see-bookings');
  const [view] = await toSubmissionViews(app, actor, [submission]);
  if (view === undefined) throw new Error('one of one is missing');
  return { submission: view };
}

type View = Output<typeof routingContract.readSubmission>['submission'];

/**
 * Submissions with what was booked since; four queries. An administrator in a person's place gets no addresses of guests'
 * links: they would stay usable afterwards.
 */
async function toSubmissionViews(
  app: Pick<App, 'db' | 'clock' | 'config' | 'keyring'>,
  { impersonation }: Actor,
  rows: readonly Submission[],
): Promise<View[]> {
  const { urls, bookings } = await listRouted(
    app,
    rows.flatMap(({ linkId }) => linkId ?? []),
  );
  const people = await listHosts(app.db, [
    ...new Set([
      ...rows.flatMap(({ decision, deeds }) => [
        ...(decision.hostIds ?? []),
        ...ownersIn(decision),
        ...deeds.flatMap(({ actorId }) => actorId ?? []),
      ]),
      ...[...bookings.values()].flatMap(({ hostIds }) => hostIds),
    ]),
  ]);
  const name = (ids: readonly UserId[]) =>
    ids.flatMap((id) => {
      const host = people.get(id);
      return host === undefined ? [] : [{ user_id: id, name: host.name }];
    });
  const ownerName = (id: string) => people.get(id as UserId)?.name ?? 'a deleted member';
  return rows.map((row) => {
    const { decision, linkId } = row;
    const { contact, ...facts } = decision.facts ?? noFacts;
    const booked = linkId === null ? undefined : bookings.get(linkId);
    return {
      id: row.id,
      form_id: row.formId,
      revision: row.revision,
      at: row.createdMs,
      name: row.name,
      email: row.email,
      phone: row.phone,
      answers: row.said,
      known: {
        ...facts,
        contact: contact && { ...contact, owner: contact.owner === null ? null : ownerName(contact.owner) },
      },
      rule_id: decision.ruleId,
      rule_name: decision.ruleName,
      reasons: decision.reasons.map((reason) => ({
        ...toReasonView(reason),
        rule_name: reason.ruleName,
        match: reason.match,
        conditions: reason.conditions.map((said) => nameOwners(said, ownerName)),
      })),
      action: decision.action,
      trouble: decision.trouble,
      leads_to: decision.leadsTo,
      hosts: name(decision.hostIds ?? []),
      link_url: (linkId === null || impersonation !== null ? undefined : urls.get(linkId)) ?? null,
      booking:
        booked === undefined
          ? null
          : {
              booking_id: booked.bookingId,
              state: booked.state,
              sequence: booked.sequence,
              start_time: booked.startMs,
              end_time: booked.endMs,
              hosts: name(booked.hostIds),
            },
      sequence: row.sequence,
      deeds: row.deeds.map(({ atMs, actorId, kind, was, became }) => ({
        at: atMs,
        by: (actorId === null ? undefined : people.get(actorId)?.name) ?? null,
        kind,
        from: was,
        to: became,
      })),
      may_reroute: true,
    };
  });
}

/** Returns the current and former owners of the contact that a decision names. */
function ownersIn({ reasons, facts }: DecisionRecord): UserId[] {
  const named: string[] = [];
  for (const said of reasons.flatMap(({ conditions }) => conditions)) nameOwners(said, (id) => `${named.push(id)}`);
  return [...named, facts?.contact?.owner ?? ''].filter((id) => /^[0-9a-f-]{36}$/.test(id)) as UserId[];
}

/** Changes of one submission: each is shown with it. */
const mostChanges = 50;

/**
 * Decides otherwise than the rules did, with a line of who did it. What is not booked gets another action, and its guest a
 * new link: the old one ends with it. What is booked gets another host by booking's own door, which asks for the rights that
 * takes. *Errors*: AppError invalid (`INVALID`), conflict (`STALE`, `BOOKED`, `NOT_BOOKED`, `TOO_MANY`); as `reassignBooking`.
 */
export async function reroute(
  app: App,
  actor: Actor,
  id: SubmissionId,
  { sequence, action, to_user_id: toUserId }: Input<typeof routingContract.reroute>['body'],
): Promise<void> {
  const { submission, form } = await requireSubmission(app.db, actor, id, 'manage-routing');
  if (submission.sequence !== sequence) throw stale();
  if (submission.deeds.length >= mostChanges)
    throw new AppError('conflict', 'TOO_MANY', `This was changed ${mostChanges} times. It cannot be changed again.`);
  if ((action === undefined) === (toUserId === undefined))
    throw new AppError('invalid', 'INVALID', 'Choose a destination or a host. Nothing was changed.', {
      fields: { action: 'Choose either a destination or a host.' },
    });
  if (action !== undefined) await changeDestination(app, actor, { submission, form }, action);
  else if (toUserId !== undefined) await reassign(app, actor, { submission, form }, toUserId);
}

interface About {
  submission: Submission;
  form: FormOwner;
}

async function changeDestination(app: App, actor: Actor, { submission, form }: About, action: Action): Promise<void> {
  const { decision, linkId } = submission;
  await checkAction(app.db, form, action);
  if (linkId !== null && (await listRouted(app, [linkId])).bookings.has(linkId)) throw booked();
  await inTransaction(app.db, async (tx) => {
    await lockOwner(tx, actor, form);
    // a concurrent booking waits for this, or this for the booking
    if (linkId !== null && !(await endRouted(tx, linkId)) && (await hasBooked(app, tx, linkId))) throw booked();
    const destination = await chooseDestination(tx, form, [action]);
    const changed: DecisionRecord = { ...decision, ...destination };
    const link = await createLink(app, tx, changed);
    await saveDecision(app, tx, actor, { submission, form }, changed, link?.linkId ?? null, {
      kind: 'rerouted',
      was: decision.leadsTo,
      became: changed.leadsTo,
    });
  });
}

const hasBooked = async (app: App, tx: Tx, linkId: NonNullable<Submission['linkId']>) =>
  (await listRouted({ ...app, db: tx }, [linkId])).bookings.has(linkId);

async function reassign(app: App, actor: Actor, { submission, form }: About, to: UserId): Promise<void> {
  const { linkId, decision } = submission;
  const found = linkId === null ? undefined : (await listRouted(app, [linkId])).bookings.get(linkId);
  if (found === undefined)
    throw new AppError(
      'conflict',
      'NOT_BOOKED',
      'This submission has no booking to reassign yet. Choose a destination.',
    );
  await reassignBooking(app, actor, found.bookingId, { to, sequence: found.sequence });
  const names = await listHosts(app.db, [...found.hostIds, to]);
  const sayNames = (ids: readonly UserId[]) => ids.flatMap((id) => names.get(id)?.name ?? []).join(', ');
  await inTransaction(app.db, (tx) =>
    saveDecision(app, tx, actor, { submission, form }, decision, linkId, {
      kind: 'reassigned',
      was: sayNames(found.hostIds),
      became: sayNames([to]),
    }),
  );
}

async function saveDecision(
  app: App,
  tx: Tx,
  actor: Actor,
  { submission, form }: About,
  decision: DecisionRecord,
  linkId: Submission['linkId'],
  deed: { kind: 'rerouted' | 'reassigned'; was: string; became: string },
): Promise<void> {
  const { id, sequence } = submission;
  if (!(await redecide(tx, { id, seen: sequence, decision, linkId }))) throw stale();
  await insertReroute(tx, {
    submissionId: id,
    sequence: sequence + 1,
    atMs: app.clock.nowMs(),
    actorId: actor.userId,
    ...deed,
  });
  await notifyOwner(app, tx, form);
}

const stale = () => new AppError('conflict', 'STALE', 'This submission was just changed. Reload it and try again.');
const booked = () =>
  new AppError(
    'conflict',
    'BOOKED',
    'This submission is already booked. Reassign the booking to another host instead.',
  );

/**
 * Removes a person who left from a team's forms, which keep working. If the person's account is deleted, earlier
 * decisions lose the person, too. Idempotent.
 */
export async function forgetMember(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { teamId, userId, why }: { teamId: TeamId; userId: UserId; why: 'left' | 'removed' | 'leaver' },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    for (const { id, definition } of await lockTeamForms(tx, teamId)) {
      const without = withoutHost(definition, userId);
      if (without !== definition) await rewriteForm(tx, id, without, app.clock.nowMs());
    }
    if (why === 'leaver') {
      await forgetHostOf(tx, teamId, userId);
      await forgetOwnerOf(tx, teamId, userId);
      await forgetHost(tx, teamId, userId);
    }
    await notifyOwner(app, tx, { userId: null, teamId });
  });
}
