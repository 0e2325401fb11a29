import type { EventTypeId, TeamId, UserId } from '#kernel/ids.ts';

/** The event types whose visits count: a person's own, or a team's. */
export interface VisitScope {
  ownerId: UserId | null;
  teamId: TeamId | null;
  eventTypeIds: readonly EventTypeId[] | null;
}

/** Null: of one member of a team there are none; nobody has been chosen yet when somebody looks at its page. */
export function visitScope({
  hostId,
  teamId,
  eventTypeIds,
}: {
  hostId: UserId | null;
  teamId: TeamId | null;
  eventTypeIds: readonly EventTypeId[] | null;
}): VisitScope | null {
  if (teamId !== null && hostId !== null) return null;
  return { ownerId: teamId === null ? hostId : null, teamId, eventTypeIds };
}
