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
