import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { may, type TeamPermission, type TeamRole, teamRoles } from '#features/teams/rules.ts';
import { features } from '../src/features.ts';
import { insertOwnTeam } from './harness/own-team.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { routeTable } from './route-table.ts';

/** Permission that each team route requires. `any`: every member; further conditions have their own tests. */
const asks: Record<string, TeamPermission | 'any'> = {
  'GET /api/teams/{teamId}': 'see-team',
  'PATCH /api/teams/{teamId}': 'change-team',
  'PUT /api/teams/{teamId}/logo': 'change-team',
  'DELETE /api/teams/{teamId}/logo': 'change-team',
  'POST /api/teams/{teamId}/deletion': 'delete-team',
  'GET /api/teams/{teamId}/trail': 'see-trail',
  'PATCH /api/teams/{teamId}/members/{userId}': 'manage-members',
  'DELETE /api/teams/{teamId}/members/{userId}': 'manage-members',
  'PUT /api/teams/{teamId}/sharing': 'any',
  'PUT /api/teams/{teamId}/transfer': 'transfer-team',
  'POST /api/teams/{teamId}/invitations': 'manage-members',
  'POST /api/teams/{teamId}/invitations/{invitationId}/resend': 'manage-members',
  'DELETE /api/teams/{teamId}/invitations/{invitationId}': 'manage-members',
  'GET /api/teams/{teamId}/busy': 'see-calendars',
  'GET /api/teams/{teamId}/handle': 'see-team',
  'GET /api/teams/{teamId}/handle/check': 'change-team',
  'PUT /api/teams/{teamId}/handle': 'change-team',
  'GET /api/teams/{team_id}/members/{user_id}/to-come': 'manage-members',
  'POST /api/teams/{team_id}/hand-over': 'manage-bookings',
  'GET /api/teams/{team_id}/stand-ins': 'see-team',
  'GET /api/teams/{team_id}/conferences': 'see-team',
};
/** By who the caller is, beyond their role: the tests beside each say so. */
const personal = [
  'POST /api/teams/{teamId}/restore',
  'DELETE /api/teams/{teamId}/transfer',
  'POST /api/teams/{teamId}/transfer/accept',
  'POST /api/teams/{team_id}/stand-ins',
  'DELETE /api/teams/{team_id}/stand-ins/{stand_in_id}',
];

let server: TestApp;
let address: string;
let people: Record<TeamRole | 'outsider', TestUser>;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  address = await server.listen();
  const [owner, admin, editor, viewer, outsider] = await Promise.all(
    [...teamRoles, 'outsider'].map((name) => signUpUser(server, `${name}@example.org`)),
  );
  people = { owner, admin, editor, viewer, outsider } as typeof people;
});
afterAll(() => server.close());

const served = features
  .flatMap((feature) => (feature.routes ?? []).flat())
  .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  .filter((route) => route.includes('/api/teams/{'));

test('every team route has a tested permission', () => {
  expect([...Object.keys(asks), ...personal].toSorted()).toEqual(served.toSorted());
});

for (const [route, permission] of Object.entries(asks)) {
  test(`${route} requires the permission ${permission} and answers 404 to another team`, async () => {
    const row = routeTable.find((one) => one.route === route);
    if (row === undefined) throw new Error(`no row for ${route}`);
    const [method = '', path = ''] = route.split(' ');
    const given: Record<string, number> = {};
    for (const who of [...teamRoles, 'outsider'] as const) {
      // an owner of another team, which gives them nothing here
      const team = await insertOwnTeam(server, people[who], who === 'outsider' ? {} : { role: who });
      const about = who === 'outsider' ? await otherTeam() : team;
      const values: Record<string, string> = { ...about, team_id: about.teamId, user_id: about.userId };
      const query = typeof row.query === 'function' ? row.query(values) : row.query;
      const body = typeof row.body === 'function' ? row.body(values) : row.body;
      const url = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? '');
      const payload = row.file ?? (body === undefined ? undefined : JSON.stringify(body));
      const answer = await fetch(`${address}${url}${query ? `?${new URLSearchParams(query).toString()}` : ''}`, {
        method,
        headers: {
          authorization: `Bearer ${people[who].token}`,
          ...(payload === undefined ? {} : { 'content-type': row.file ? 'image/png' : 'application/json' }),
        },
        ...(payload === undefined ? {} : { body: payload }),
      });
      await answer.body?.cancel();
      given[who] = answer.status;
    }
    const ok = row.expect.user;
    const wanted = teamRoles.map((role) => [role, permission === 'any' || may(role, permission) ? ok : 403]);
    expect(given).toEqual({ ...Object.fromEntries(wanted), outsider: 404 });
  });
}

async function otherTeam() {
  const team = await insertOwnTeam(server, people.owner);
  const { rows } = await sql`select from teams.members where user_id = ${people.outsider.userId}`.execute(
    server.app.db,
  );
  expect(rows).toHaveLength(1);
  return team;
}
