import type { TypeHost } from '#features/booking/rules/type-hosts.ts';
import type { TypeKind } from '#features/booking/rules/type-settings.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Action } from './action.ts';
import type { Definition } from './form-definition.ts';

interface Target {
  kind: TypeKind;
  teamId: TeamId | null;
  hosts: readonly Pick<TypeHost, 'userId' | 'optional'>[];
}

/** Why an action that leads to an event type cannot be; null where it can. */
export function judgeAction(
  { user_ids: userIds, contact_owner_first: ownerFirst }: Extract<Action, { kind: 'event-type' }>,
  target: Target | undefined,
  type: Definition['type'],
): { field: string; message: string } | null {
  if (target === undefined)
    return { field: 'event_type_id', message: 'This event type no longer exists. Choose another.' };
  if (type !== 'conditional' && target.kind !== type)
    return {
      field: 'event_type_id',
      message:
        type === 'collective'
          ? 'Choose an event type with several hosts who meet together.'
          : 'Choose an event type whose hosts take turns.',
    };
  if (ownerFirst && target.kind !== 'round-robin')
    return { field: 'contact_owner_first', message: 'Only round robin event types can prefer the contact owner.' };
  if (userIds === null) return null;
  if (target.teamId === null)
    return { field: 'user_ids', message: "You're the only host of this event type. Remove the other hosts." };
  if (userIds.some((id) => !target.hosts.some(({ userId }) => userId === id)))
    return {
      field: 'user_ids',
      message: 'One of these people is no longer a host of this event type. Choose someone else.',
    };
  const met = target.hosts.filter(({ userId, optional }) => !optional && userIds.includes(userId));
  if (target.kind === 'collective' && met.length === 0)
    return { field: 'user_ids', message: 'Choose at least one required host.' };
  return null;
}
