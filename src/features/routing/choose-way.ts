import { listTypesOf } from '#features/booking/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Action, Trouble } from './rules/action.ts';
import type { FormOwner } from './rules/form-owner.ts';
import type { KeptDecision } from './rules/kept-decision.ts';

type Way = Pick<KeptDecision, 'action' | 'trouble' | 'leadsTo' | 'hostIds'>;

/**
 * The first of these actions that can be carried out now. Event types are deleted and closed, and hosts leave, without
 * anybody looking at the forms that lead there: whoever answers one is led somewhere all the same, and it is written down.
 */
export async function chooseWay(db: Database, owner: FormOwner, actions: readonly Action[]): Promise<Way> {
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
