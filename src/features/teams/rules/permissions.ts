/** What a member is in a team; each of these may do what those behind it may, and more. There is one owner. */
export const teamRoles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** What somebody can be made; a team gets another owner by handing it over. */
export const givenRoles = ['admin', 'editor', 'viewer'] as const;
export type GivenRole = (typeof givenRoles)[number];

/** Who may do what: the one place that says so, for the server and for screens. */
const allowed = {
  /** Name, members and their roles. */
  'see-team': ['owner', 'admin', 'editor', 'viewer'],
  /** When members are busy; with what, where they share that. */
  'see-calendars': ['owner', 'admin', 'editor', 'viewer'],
  'see-analytics': ['owner', 'admin', 'editor', 'viewer'],
  /** What was booked with others in the team, with the names of guests. */
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
