/**
 * Owns: teams, who is in them as what, and what each role may do.
 * Announces: teams.member-left; open browsers hear the topic teams.
 * Never: shows anything of a team to who is not in it; knows what a team is used for.
 */
import { inviteEndpoints } from './rules/invite-endpoints.ts';
import { memberEndpoints } from './rules/member-endpoints.ts';
import { teamEndpoints } from './rules/team-endpoints.ts';

export const teamsContract = { ...teamEndpoints, ...memberEndpoints, ...inviteEndpoints };
