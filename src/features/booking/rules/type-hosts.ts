import type { TeamId, UserId } from '#kernel/ids.ts';
import type { TypeKind } from './type-settings.ts';

/** Whose an event type is: a person's or a team's. */
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
  /** Who takes what would come to them meanwhile. */
  standIns: readonly StandIn[];
}

export interface StandIn {
  toUserId: UserId;
  fromMs: number;
  untilMs: number;
}

/** Somebody alone. */
export const soleHost = (userId: UserId): TypeHost => ({
  userId,
  weight: 1,
  priority: 2,
  optional: false,
  calibration: 0,
  sinceMs: 0,
  standIns: [],
});

/** Everybody whose time an event type may give away, those who stand in among them. */
export function everyHost({ hosts }: { hosts: readonly TypeHost[] }): UserId[] {
  return [...new Set(hosts.flatMap(({ userId, standIns }) => [userId, ...standIns.map(({ toUserId }) => toUserId)]))];
}

/** Who is there at a moment for somebody: they themselves, or who stands in for them. */
export function whoFor(host: Pick<TypeHost, 'userId' | 'standIns'>, atMs: number): UserId {
  return host.standIns.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)?.toUserId ?? host.userId;
}

/** Of a team where there is one, else of the person. */
export const ownerOf = (userId: UserId, teamId: TeamId | null): TypeOwner =>
  teamId === null ? { userId, teamId } : { userId: null, teamId };

/** Booked with several hosts, together or in turn. */
export const isTeamKind = (kind: TypeKind) => kind === 'collective' || kind === 'round-robin';
