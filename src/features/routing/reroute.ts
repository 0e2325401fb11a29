import { listHosts } from '#features/accounts/public.ts';
import { endRouted, listRouted, reassignBooking } from '#features/booking/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { SubmissionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { checkAction } from './check-action.ts';
import { chooseWay } from './choose-way.ts';
import type { routingContract } from './contract.ts';
import { lockOwn } from './demand-own.ts';
import { makeWay } from './make-way.ts';
import { requireSubmission } from './require-submission.ts';
import type { Action } from './rules/action.ts';
import type { FormOwner } from './rules/form-owner.ts';
import type { KeptDecision } from './rules/kept-decision.ts';
import { insertDeed, redecide, type Submission } from './store/submission-rows.ts';
import { tellOwner } from './tell-owner.ts';

/**
 * Decides otherwise than the rules did, with a line of who did it. What is not booked gets another action, and its guest a
 * new link: the old one ends with it. What is booked gets another host by booking's own door, which asks for the rights that
 * takes. *Errors*: AppError invalid (`INVALID`), conflict (`STALE`, `BOOKED`, `NOT_BOOKED`); as `reassignBooking`.
 */
export async function reroute(
  app: App,
  actor: Actor,
  id: SubmissionId,
  { sequence, action, to_user_id: toUserId }: Input<typeof routingContract.reroute>['body'],
): Promise<void> {
  const { submission, form } = await requireSubmission(app.db, actor, id, 'manage-routing');
  if (submission.sequence !== sequence) throw stale();
  if ((action === undefined) === (toUserId === undefined))
    throw new AppError('invalid', 'INVALID', 'Say where it is to lead, or who is to take it. Nothing was changed.', {
      fields: { action: 'Either this or a host.' },
    });
  if (action !== undefined) await leadElsewhere(app, actor, { submission, form }, action);
  else if (toUserId !== undefined) await giveOn(app, actor, { submission, form }, toUserId);
}

interface About {
  submission: Submission;
  form: FormOwner;
}

async function leadElsewhere(app: App, actor: Actor, { submission, form }: About, action: Action): Promise<void> {
  const { decision, linkId } = submission;
  await checkAction(app.db, form, action);
  if (linkId !== null && (await listRouted(app, [linkId])).bookings.has(linkId)) throw booked();
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, form);
    // a concurrent booking waits for this, or this for the booking
    if (linkId !== null && !(await endRouted(tx, linkId)) && (await hasBooked(app, tx, linkId))) throw booked();
    const way = await chooseWay(tx, form, [action]);
    const changed: KeptDecision = { ...decision, ...way };
    const link = await makeWay(app, tx, changed);
    await keep(app, tx, actor, { submission, form }, changed, link?.linkId ?? null, {
      kind: 'rerouted',
      was: decision.leadsTo,
      became: changed.leadsTo,
    });
  });
}

const hasBooked = async (app: App, tx: Tx, linkId: NonNullable<Submission['linkId']>) =>
  (await listRouted({ ...app, db: tx }, [linkId])).bookings.has(linkId);

async function giveOn(app: App, actor: Actor, { submission, form }: About, to: UserId): Promise<void> {
  const { linkId, decision } = submission;
  const found = linkId === null ? undefined : (await listRouted(app, [linkId])).bookings.get(linkId);
  if (found === undefined)
    throw new AppError('conflict', 'NOT_BOOKED', 'Nothing is booked yet, so nobody has it. Choose where it leads.');
  await reassignBooking(app, actor, found.bookingId, { to, sequence: found.sequence });
  const names = await listHosts(app.db, [...found.hostIds, to]);
  const sayNames = (ids: readonly UserId[]) => ids.flatMap((id) => names.get(id)?.name ?? []).join(', ');
  await inTransaction(app.db, (tx) =>
    keep(app, tx, actor, { submission, form }, decision, linkId, {
      kind: 'reassigned',
      was: sayNames(found.hostIds),
      became: sayNames([to]),
    }),
  );
}

async function keep(
  app: App,
  tx: Tx,
  actor: Actor,
  { submission, form }: About,
  decision: KeptDecision,
  linkId: Submission['linkId'],
  deed: { kind: 'rerouted' | 'reassigned'; was: string; became: string },
): Promise<void> {
  const { id, sequence } = submission;
  if (!(await redecide(tx, { id, seen: sequence, decision, linkId }))) throw stale();
  await insertDeed(tx, {
    submissionId: id,
    sequence: sequence + 1,
    atMs: app.clock.nowMs(),
    actorId: actor.userId,
    ...deed,
  });
  await tellOwner(app, tx, form);
}

const stale = () =>
  new AppError(
    'conflict',
    'STALE',
    'Somebody decided otherwise meanwhile. Nothing of yours was done: look at it anew.',
  );
const booked = () =>
  new AppError('conflict', 'BOOKED', 'This is booked already. Nothing was changed; give it to another host instead.');
