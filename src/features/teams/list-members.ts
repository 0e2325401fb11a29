import { type Host, hostsReading } from '#features/accounts/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import { compareNames } from '#kernel/languages.ts';
import type { Database } from '#platform/db.ts';
import { joinReadings, type Reading, readAlone } from '#platform/reading.ts';
import { teamRoles } from './rules/permissions.ts';
import { type MemberRow, memberIdsOf, memberRowsReading } from './store/members.ts';

/** Somebody in a team. */
export interface Member extends MemberRow, Host {}

/** Who is in a team: the owner first, then by role and name. */
export function listMembers(db: Database, teamId: TeamId): Promise<Member[]> {
  return readAlone(db, membersReading(teamId));
}

export function membersReading(teamId: TeamId): Reading<Member[]> {
  return joinReadings([memberRowsReading(teamId), hostsReading(memberIdsOf(teamId))], ([rows, people]) => {
    const rowOf = new Map(rows.map((row) => [row.userId, row]));
    return people
      .flatMap((person) => {
        const row = rowOf.get(person.userId);
        return row === undefined ? [] : { ...person, ...row };
      })
      .toSorted(
        (one, other) =>
          teamRoles.indexOf(one.role) - teamRoles.indexOf(other.role) || compareNames(one.name, other.name),
      );
  });
}
