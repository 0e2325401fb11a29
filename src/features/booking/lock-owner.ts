import { lockUser } from '#features/accounts/public.ts';
import type { Tx } from '#platform/db.ts';
import type { TypeOwner } from './rules/type-hosts.ts';
import { lockTeamTypes } from './store/event-type-rows.ts';

/** Names of an owner are chosen one after the other. */
export async function lockOwner(tx: Tx, { userId, teamId }: TypeOwner): Promise<void> {
  if (teamId === null) await lockUser(tx, userId);
  else await lockTeamTypes(tx, teamId);
}
