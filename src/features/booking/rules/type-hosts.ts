import type { TeamId, UserId } from '#kernel/ids.ts';
import type { TypeKind } from './type-settings.ts';

/** The owner of an event type: a person or a team. */
export type TypeOwner = { userId: UserId; teamId: null } | { userId: null; teamId: TeamId };

/** With whom an event type is booked. Times are epoch ms. */
export interface TypeHost {
  userId: UserId;
  weight: number;
  priority: number;
  /** Takes part when free, and never stands in the way. */
  optional: boolean;
  calibration: number;
  sinceMs: number;
  /** People who stand in for the host. */
  standIns: readonly StandIn[];
}

export interface StandIn {
  toUserId: UserId;
  fromMs: number;
  untilMs: number;
}

/** Returns the only host of a person's event type. */
export const soleHost = (userId: UserId): TypeHost => ({
  userId,
  weight: 1,
  priority: 2,
  optional: false,
  calibration: 0,
  sinceMs: 0,
  standIns: [],
});

/** Returns all people whose time an event type may give away, stand-ins included. */
export function everyHost({ hosts }: { hosts: readonly TypeHost[] }): UserId[] {
  return [...new Set(hosts.flatMap(({ userId, standIns }) => [userId, ...standIns.map(({ toUserId }) => toUserId)]))];
}

/** Returns the person who acts for a host at a moment: the host, or the stand-in. */
export function whoFor(host: Pick<TypeHost, 'userId' | 'standIns'>, atMs: number): UserId {
  return host.standIns.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)?.toUserId ?? host.userId;
}

/** Returns the owner: the team, or else the person. */
export const ownerOf = (userId: UserId, teamId: TeamId | null): TypeOwner =>
  teamId === null ? { userId, teamId } : { userId: null, teamId };

/** Booked with several hosts, together or in turn. */
export const isTeamKind = (kind: TypeKind) => kind === 'collective' || kind === 'round-robin';
