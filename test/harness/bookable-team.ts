import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { defaultSettings, type TypeSettings } from '../../src/features/booking/rules/type-settings.ts';
import { insertType } from '../../src/features/booking/store/event-type-rows.ts';
import { keepHosts } from '../../src/features/booking/store/hosts.ts';
import type { TeamRole } from '../../src/features/teams/rules.ts';
import type { EventTypeId, TeamId, UserId } from '../../src/kernel/ids.ts';
import { hashToken } from '../../src/platform/crypto.ts';
import { inTransaction } from '../../src/platform/db.ts';
import type { Bookable } from './bookable.ts';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-client.ts';

/** A member of a team, by the differences from the default. */
export interface Mate {
  user: Pick<TestUser, 'userId'>;
  role?: TeamRole;
  weight?: number;
  priority?: number;
  optional?: boolean;
}

/** A team with these; the first owns it unless somebody does. Answers with its id. */
export async function insertTeam(
  server: Pick<TestApp, 'app'>,
  handle: string,
  mates: readonly Mate[],
): Promise<TeamId> {
  const teamId = randomUUID() as string as TeamId;
  await inTransaction(server.app.db, async (tx) => {
    await sql`insert into teams.teams (id, name) values (${teamId}, ${`Team ${handle}`})`.execute(tx);
    for (const [n, { user, role }] of mates.entries())
      await sql`insert into teams.members (team_id, user_id, role)
        values (${teamId}, ${user.userId}, ${role ?? (n === 0 ? 'owner' : 'viewer')})`.execute(tx);
    await sql`insert into booking.handles (look, handle, team_id)
      values (${hashToken(handle)}, ${handle}, ${teamId})`.execute(tx);
  });
  return teamId;
}

/** Gives a team an event type with these hosts: on weekdays from nine to five in New York, without notice. */
export async function insertTeamType(
  server: Pick<TestApp, 'app'>,
  team: { teamId: TeamId; handle: string },
  mates: readonly Mate[],
  more: Partial<TypeSettings> & { kind: 'collective' | 'round-robin'; slug?: string },
): Promise<Bookable> {
  const { kind, slug = kind, ...settings } = more;
  const typeId = randomUUID() as EventTypeId;
  await inTransaction(server.app.db, async (tx) => {
    await insertType(tx, {
      id: typeId,
      userId: null,
      teamId: team.teamId,
      slug,
      title: 'Demo',
      description: '',
      kind,
      hidden: false,
      secret: false,
      settings: {
        ...defaultSettings(kind),
        notice_minutes: 0,
        location: { kind: 'link', url: 'https://meet.example.org/team' },
        ...settings,
      },
    });
    const hosts = mates.map(({ user, weight = 1, priority = 2, optional = false }) => ({
      userId: user.userId as UserId,
      weight,
      priority,
      optional,
      calibration: 0,
    }));
    await keepHosts(tx, { id: typeId, teamId: team.teamId }, hosts, 0);
  });
  return { typeId, path: `/api/book/${team.handle}/${slug}` };
}
