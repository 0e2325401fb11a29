import { listHosts } from '#features/accounts/public.ts';
import { listTypesOf, makeRoutedLink } from '#features/booking/public.ts';
import { listMembers } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingLinkId, TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { routingContract } from './contract.ts';
import { requireOwner } from './forms.ts';
import type { Action, Trouble } from './rules/action.ts';
import type { DecisionRecord } from './rules/decision.ts';
import { type FormOwner, formOwnerOf } from './rules/form-owner.ts';
import { judgeAction } from './rules/judge-action.ts';

/** Destinations that a form can lead to. *Errors*: as `requirePermission`. */
export async function listTargets(
  { db }: Pick<App, 'db'>,
  actor: Actor,
  teamId: TeamId | null,
): Promise<Output<typeof routingContract.listTargets>> {
  const owner = formOwnerOf(actor.userId, teamId);
  await requireOwner(db, actor, owner, 'see-team');
  const types = await listTypesOf(db, owner);
  const hostIds = types.flatMap(({ hosts }) => hosts.map(({ userId }) => userId));
  const people = await listHosts(db, [...new Set([actor.userId, ...hostIds])]);
  const own = people.get(actor.userId);
  const owners = teamId === null ? (own === undefined ? [] : [own]) : await listMembers(db, teamId);
  return {
    people: owners.map(({ userId, name }) => ({ user_id: userId, name })),
    targets: types.map(({ id, title, kind, settings, hosts }) => ({
      event_type_id: id,
      title,
      kind,
      paused: settings.paused,
      hosts: hosts.flatMap(({ userId }) => {
        const host = people.get(userId);
        return host === undefined ? [] : [{ user_id: userId, name: host.name }];
      }),
    })),
  };
}

/** Refuses an action that leads to what is not there. *Errors*: AppError invalid (`INVALID`) with the field. */
export async function checkAction(db: Database, owner: FormOwner, action: Action): Promise<void> {
  if (action.kind !== 'event-type') return;
  const target = (await listTypesOf(db, owner)).find(({ id }) => id === action.event_type_id);
  const wrong = judgeAction(action, target, 'conditional');
  if (wrong !== null)
    throw new AppError('invalid', 'INVALID', wrong.message, { fields: { [`action.${wrong.field}`]: wrong.message } });
}

type Destination = Pick<DecisionRecord, 'action' | 'trouble' | 'leadsTo' | 'hostIds'>;

/**
 * Returns the first of these actions that can be carried out now. Event types and hosts may be gone without a change of
 * the form. A visitor is always led somewhere, and the reason is recorded.
 */
export async function chooseDestination(
  db: Database,
  owner: FormOwner,
  actions: readonly Action[],
): Promise<Destination> {
  let trouble: Trouble | null = null;
  const types = actions.some(({ kind }) => kind === 'event-type') ? await listTypesOf(db, owner) : [];
  for (const action of actions) {
    if (action.kind === 'url') return { action, trouble, leadsTo: action.url, hostIds: null };
    if (action.kind === 'message') return { action, trouble, leadsTo: action.text, hostIds: null };
    const type = types.find(({ id }) => id === action.event_type_id);
    if (type === undefined) trouble ??= 'type-gone';
    else if (type.settings.paused) trouble ??= 'type-paused';
    else if (type.hosts.length === 0) trouble ??= 'hosts-gone';
    else {
      const hostIds = hostsLeft(action.user_ids, type.hosts);
      if (action.user_ids !== null && hostIds === null) trouble ??= 'hosts-gone';
      return { action, trouble, leadsTo: type.title, hostIds };
    }
  }
  return { action: null, trouble, leadsTo: '', hostIds: null };
}

/** Null: all of them. */
function hostsLeft(wanted: readonly UserId[] | null, hosts: readonly { userId: UserId }[]): UserId[] | null {
  const left = wanted?.filter((id) => hosts.some(({ userId }) => userId === id)) ?? [];
  return left.length === 0 ? null : left;
}

/** Where an action leads to an event type, the link at which its guest books; null where it does not. */
export async function createLink(
  app: Pick<App, 'keyring' | 'clock'>,
  tx: Tx,
  { action, hostIds }: Pick<DecisionRecord, 'action' | 'hostIds'>,
): Promise<{ linkId: BookingLinkId; path: string } | null> {
  if (action?.kind !== 'event-type') return null;
  const { event_type_id: eventTypeId, contact_owner_first: ownerFirst } = action;
  return makeRoutedLink(app, tx, { eventTypeId, hostIds, ownerFirst });
}
