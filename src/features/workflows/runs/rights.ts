import { listOwnersOf } from '#features/accounts/people/public.ts';
import type { BookingFacts } from '#features/booking/public.ts';
import { listRoles, may, type TeamRole } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Action } from '../rules/action.ts';
import { listAgreements } from '../store/address-rows.ts';
import type { Workflow } from '../store/workflow-rows.ts';

/** Current rights to read about a booking: the roles in teams, the accounts behind named addresses, and who agreed. */
export interface Rights {
  roles: Map<TeamId, Map<UserId, TeamRole>>;
  accounts: Map<string, UserId>;
  agreements: Set<string>;
}

/** The rights for several workflows and bookings, in three statements. */
export async function loadRights(
  db: Database,
  workflows: readonly Workflow[],
  bookings: readonly BookingFacts[],
): Promise<Rights> {
  const named = workflows.flatMap(({ userId, definition }) =>
    definition.steps.flatMap(({ action }) => {
      const address = namedBy(action);
      return address === null ? [] : [{ userId, address }];
    }),
  );
  const teamIds = [...workflows, ...bookings].flatMap(({ teamId }) => teamId ?? []);
  const [roles, accounts, agreements] = await Promise.all([
    listRoles(db, [...new Set(teamIds)]),
    listOwnersOf(
      db,
      named.map(({ address }) => address),
    ),
    listAgreements(db, named),
  ]);
  return { roles, accounts, agreements };
}

function namedBy(action: Action): string | null {
  if (action.kind !== 'send-email' || action.to === 'host' || action.to === 'guest' || action.to === 'guests')
    return null;
  return action.to.toLowerCase();
}

/**
 * `wait`: nobody looks after the workflow, or the host is in the team no more and the booking goes to another one soon.
 * `no`: the named address may not read about it.
 */
export function judgeRight(
  { roles, accounts, agreements }: Rights,
  workflow: Pick<Workflow, 'userId' | 'teamId'>,
  owner: { email: string; suspended: boolean } | undefined,
  action: Action,
  booking: Pick<BookingFacts, 'userId' | 'teamId'> | null,
): 'yes' | 'no' | 'wait' {
  if (owner === undefined || owner.suspended) return 'wait';
  if (workflow.teamId !== null) {
    const role = roles.get(workflow.teamId)?.get(workflow.userId);
    if (role === undefined || !may(role, 'manage-workflows')) return 'wait';
  }
  if ('to' in action && (action.to === 'guest' || action.to === 'guests')) return 'yes';
  const members = booking?.teamId == null ? null : roles.get(booking.teamId);
  if (booking !== null && members?.has(booking.userId) === false) return 'wait';
  const address = namedBy(action);
  if (address === null) return 'yes';
  const isOwn = address === owner.email.toLowerCase();
  if (!isOwn && !agreements.has(`${workflow.userId} ${address}`)) return 'no';
  // the booking's team, or the form's
  const team = members ?? (booking === null && workflow.teamId !== null ? roles.get(workflow.teamId) : null);
  const readerId = accounts.get(address);
  if (team == null || readerId === undefined || readerId === booking?.userId) return 'yes';
  const role = team.get(readerId);
  return role !== undefined && may(role, 'see-bookings') ? 'yes' : 'no';
}
