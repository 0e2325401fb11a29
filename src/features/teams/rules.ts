import { AppError } from '#kernel/errors.ts';

/** Roles in a team. Each has the permissions of those after it. A team has one owner. */
export const teamRoles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Roles that can be assigned. Ownership changes by a transfer. */
export const givenRoles = ['admin', 'editor', 'viewer'] as const;
export type GivenRole = (typeof givenRoles)[number];

/** The permissions of each role, for server and screens. */
const allowed = {
  /** Name, members and their roles. */
  'see-team': ['owner', 'admin', 'editor', 'viewer'],
  /** When members are busy; with what, where they share that. */
  'see-calendars': ['owner', 'admin', 'editor', 'viewer'],
  'see-analytics': ['owner', 'admin', 'editor', 'viewer'],
  /** Bookings of other members, with the names of guests. */
  'see-bookings': ['owner', 'admin', 'editor'],
  'manage-event-types': ['owner', 'admin', 'editor'],
  'manage-routing': ['owner', 'admin', 'editor'],
  'manage-workflows': ['owner', 'admin', 'editor'],
  /** Give others' bookings to another host, move and cancel them. */
  'manage-bookings': ['owner', 'admin'],
  /** Invite, remove, and say what somebody is; never the owner. */
  'manage-members': ['owner', 'admin'],
  /** Name, picture, public address. */
  'change-team': ['owner', 'admin'],
  'see-trail': ['owner', 'admin'],
  'transfer-team': ['owner'],
  'delete-team': ['owner'],
} as const satisfies Record<string, readonly TeamRole[]>;

export type TeamPermission = keyof typeof allowed;
export const teamPermissions = Object.keys(allowed) as TeamPermission[];

export const rolesThatMay = (permission: TeamPermission): readonly TeamRole[] => allowed[permission];

export function may(role: TeamRole, permission: TeamPermission): boolean {
  return rolesThatMay(permission).includes(role);
}

export const longestTeamName = 100;
export const longestAbout = 1_000;
export const mostMembers = 100;
/** Invitations of a team that wait for an answer. */
export const mostInvited = 100;
/** Teams that one person is in. */
export const mostTeams = 25;
export const invitationDays = 7;
/** How long a deleted team can be taken back. */
export const restorableDays = 30;
export const trailKeptMonths = 12;

/** Kinds of entries in a team's audit log. A kind is never renamed or removed: rows are kept for a year. */
export const teamDeeds = [
  'team-created',
  'team-changed',
  'logo-changed',
  'handle-changed',
  'member-invited',
  'invitation-withdrawn',
  'invitation-declined',
  'member-joined',
  'role-changed',
  'sharing-changed',
  'member-removed',
  'member-left',
  'transfer-asked',
  'transfer-withdrawn',
  'transfer-declined',
  'transfer-accepted',
  'team-deleted',
  'team-restored',
] as const;
export type TeamDeed = (typeof teamDeeds)[number];

/** A few plain values: `{ role: 'admin' }`. Never a secret. */
export type DeedDetails = Readonly<Record<string, string>>;

export const invitationGone = () =>
  new AppError('not-found', 'NOT_FOUND', 'Invitation not found. It may have been answered, withdrawn or expired.');
