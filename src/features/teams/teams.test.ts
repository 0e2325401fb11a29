import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { bookingContract } from '#features/booking/contract.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { teamsContract } from './contract.ts';
import { listMembers, listTeamsOf, requirePermission, teamReading } from './public.ts';
import type { TeamRole } from './rules.ts';
import { insertMember } from './store/members.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

let people = 0;
const newPerson = () => {
  people += 1;
  return signUpUser(server, `person${people}@example.org`);
};
const apiOf = (user: TestUser) => user.as(teamsContract);
const create = async (user: TestUser, name = 'Sales') => {
  const { team } = await apiOf(user).createTeam({ body: { name } });
  return team.id;
};
const put = (teamId: TeamId, { userId }: TestUser, role: TeamRole) =>
  inTransaction(server.app.db, (tx) => insertMember(tx, { teamId, userId, role }));

async function teamOfFour() {
  const [owner, admin, editor, viewer] = [await newPerson(), await newPerson(), await newPerson(), await newPerson()];
  const teamId = await create(owner);
  await put(teamId, admin, 'admin');
  await put(teamId, editor, 'editor');
  await put(teamId, viewer, 'viewer');
  return { teamId, owner, admin, editor, viewer };
}
const rolesIn = async (teamId: TeamId) =>
  (await listMembers(server.app.db, teamId)).map(({ userId, role }) => [userId, role]);

describe('teams', () => {
  test('a team belongs to its creator and is invisible to others', async () => {
    const [anna, bob] = [await newPerson(), await newPerson()];
    const teamId = await create(anna, '  Sales ');
    expect(await apiOf(anna).readTeam({ params: { teamId } })).toMatchObject({
      team: { name: 'Sales', role: 'owner', shares: 'busy', logo_url: null },
      members: [{ user_id: anna.userId, role: 'owner' }],
      invitations: [],
      transfer: null,
    });
    await expect(apiOf(bob).readTeam({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await apiOf(bob).listTeams()).teams).toEqual([]);
  });

  test('a team reports its members with roles and permissions to other features', async () => {
    const { teamId, owner, admin, editor, viewer } = await teamOfFour();
    const { db } = server.app;
    expect(await rolesIn(teamId)).toEqual([
      [owner.userId, 'owner'],
      [admin.userId, 'admin'],
      [editor.userId, 'editor'],
      [viewer.userId, 'viewer'],
    ]);
    expect(await listTeamsOf(db, viewer.userId)).toMatchObject([{ id: teamId, role: 'viewer' }]);
    expect(await requirePermission(db, editor, teamId, 'manage-event-types')).toMatchObject({ role: 'editor' });
    await expect(requirePermission(db, viewer, teamId, 'see-bookings')).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('name and description of a team lose signs that turn or hide text, and a name that nobody sees is refused', async () => {
    const anna = await newPerson();
    const teamId = await create(anna, 'Sales\u202e \u{e0041}');
    const shown = async () => (await apiOf(anna).readTeam({ params: { teamId } })).team;
    expect((await shown()).name).toBe('Sales');
    await apiOf(anna).changeTeam({ params: { teamId }, body: { name: 'T\u202egnp.exe', about: 'About \u202eus' } });
    expect(await shown()).toMatchObject({ name: 'Tgnp.exe', about: 'About us' });
    const refused = { code: 'INVALID_INPUT', fields: { name: 'Enter at least one visible character.' } };
    for (const name of ['\u00ad', '\u115f\u1160', '\ufe0f']) {
      await expect(create(anna, name)).rejects.toMatchObject(refused);
      await expect(apiOf(anna).changeTeam({ params: { teamId }, body: { name } })).rejects.toMatchObject(refused);
    }
  });

  test('a team is renamed by its admins, and the change enters the audit log', async () => {
    const { teamId, admin } = await teamOfFour();
    const { team } = await apiOf(admin).changeTeam({ params: { teamId }, body: { name: 'Support', about: 'Hello' } });
    expect(team).toMatchObject({ name: 'Support', about: 'Hello' });
    const { entries } = await apiOf(admin).readTeamTrail({ params: { teamId } });
    expect(entries[0]).toMatchObject({ kind: 'team-changed', details: { from: 'Sales', to: 'Support' } });
  });

  test('a team is deleted by its owner with the typed name, then invisible, and can be restored', async () => {
    const { teamId, owner, viewer } = await teamOfFour();
    const api = apiOf(owner);
    await expect(api.deleteTeam({ params: { teamId }, body: { name: 'sales' } })).rejects.toMatchObject({
      code: 'WRONG_NAME',
    });
    await api.deleteTeam({ params: { teamId }, body: { name: 'Sales' } });
    expect(await readAlone(server.app.db, teamReading(teamId))).toBeNull();
    await expect(api.readTeam({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await apiOf(viewer).listTeams()).teams).toEqual([]);
    await expect(apiOf(viewer).restoreTeam({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await api.listTeams()).deleted).toMatchObject([{ id: teamId }]);
    expect((await api.restoreTeam({ params: { teamId } })).members).toHaveLength(4);
  });
});

describe('team roles', () => {
  test('teams that are made and deleted again end with the 50th of a day', async () => {
    const anna = await newPerson();
    const makeAndDelete = async () => {
      const teamId = await create(anna);
      await apiOf(anna).deleteTeam({ params: { teamId }, body: { name: 'Sales' } });
    };
    for (let n = 0; n < 50; n += 1) await makeAndDelete();
    await expect(makeAndDelete()).rejects.toMatchObject({ status: 429 });
    await create(await newPerson());
  });

  test('team roles are changed by admins, never to or from the owner', async () => {
    const { teamId, owner, admin, viewer } = await teamOfFour();
    const { members } = await apiOf(admin).changeMemberRole({
      params: { teamId, userId: viewer.userId },
      body: { role: 'editor' },
    });
    expect(members.find(({ user_id }) => user_id === viewer.userId)?.role).toBe('editor');
    await expect(
      apiOf(admin).changeMemberRole({ params: { teamId, userId: owner.userId }, body: { role: 'viewer' } }),
    ).rejects.toMatchObject({ code: 'IS_OWNER' });
    await expect(apiOf(owner).removeMember({ params: { teamId, userId: owner.userId } })).rejects.toMatchObject({
      code: 'IS_OWNER',
    });
  });

  test('a member who leaves or is removed loses access, and both enter the audit log', async () => {
    const { teamId, admin, editor, viewer } = await teamOfFour();
    await apiOf(viewer).removeMember({ params: { teamId, userId: viewer.userId } });
    await apiOf(admin).removeMember({ params: { teamId, userId: editor.userId } });
    await expect(apiOf(editor).readTeam({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await apiOf(admin).readTeam({ params: { teamId } })).members).toHaveLength(2);
    const { entries } = await apiOf(admin).readTeamTrail({ params: { teamId } });
    expect(entries.slice(0, 2).map(({ kind }) => kind)).toEqual(['member-removed', 'member-left']);
  });

  test('a member asked to own a team 25 times gets one mail, and three a day while others are asked in between', async () => {
    const { teamId, owner, editor, viewer } = await teamOfFour();
    const api = apiOf(owner);
    const offerTo = (userId: UserId) => api.offerTeam({ params: { teamId }, body: { user_id: userId } });
    const mailsTo = async (email: string) =>
      (await readMails(server, email)).filter(({ kind }) => kind === 'teams.transfer').length;
    for (let n = 0; n < 25; n += 1) await offerTo(editor.userId);
    expect(await mailsTo(editor.email)).toBe(1);
    for (let n = 0; n < 2; n += 1) {
      await offerTo(viewer.userId);
      await offerTo(editor.userId);
    }
    await offerTo(viewer.userId);
    await expect(offerTo(editor.userId)).rejects.toMatchObject({ code: 'LIMITED' });
    expect(await mailsTo(editor.email)).toBe(3);
    // the one who was asked last still can accept
    await apiOf(viewer).acceptTransfer({ params: { teamId } });
  });

  test('team ownership passes only to the member who accepts the offer', async () => {
    const { teamId, owner, editor, viewer } = await teamOfFour();
    const api = apiOf(owner);
    await api.offerTeam({ params: { teamId }, body: { user_id: editor.userId } });
    expect((await apiOf(viewer).readTeam({ params: { teamId } })).transfer).toBeNull();
    await expect(apiOf(viewer).acceptTransfer({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await apiOf(editor).acceptTransfer({ params: { teamId } });
    expect((await rolesIn(teamId)).slice(0, 2)).toEqual(
      expect.arrayContaining([
        [editor.userId, 'owner'],
        [owner.userId, 'admin'],
      ]),
    );
    await expect(apiOf(editor).acceptTransfer({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('concurrent acceptances of a team leave one owner', async () => {
    const { teamId, owner, admin, editor } = await teamOfFour();
    await apiOf(owner).offerTeam({ params: { teamId }, body: { user_id: admin.userId } });
    const answers = await Promise.allSettled([
      apiOf(admin).acceptTransfer({ params: { teamId } }),
      apiOf(owner).offerTeam({ params: { teamId }, body: { user_id: editor.userId } }),
      apiOf(editor).acceptTransfer({ params: { teamId } }),
    ]);
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await rolesIn(teamId)).filter(([, role]) => role === 'owner')).toHaveLength(1);
  });
});

describe('team handles', () => {
  test('a team handle shares one namespace with user handles and is changed by admins only', async () => {
    const { teamId, owner, admin, viewer } = await teamOfFour();
    await viewer.as(bookingContract).changeHandle({ body: { handle: `viewer-${people}` } });
    const api = admin.as(bookingContract);
    const change = (handle: string) => api.changeTeamHandle({ params: { teamId }, body: { handle } });
    await expect(change(`viewer-${people}`)).rejects.toMatchObject({ code: 'HANDLE_TAKEN' });
    await expect(change('admin')).rejects.toMatchObject({ code: 'HANDLE_RESERVED' });
    expect((await change(`sales-${people}`)).url).toMatch(/\/sales-\d+$/);
    expect(await change(`team-${people}`)).toMatchObject({ resting: [{ handle: `sales-${people}` }] });
    const person = owner.as(bookingContract);
    await expect(person.changeHandle({ body: { handle: `sales-${people}` } })).rejects.toMatchObject({
      code: 'HANDLE_TAKEN',
    });
    await expect(
      viewer.as(bookingContract).changeTeamHandle({ params: { teamId }, body: { handle: 'other' } }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await api.checkTeamHandle({ params: { teamId }, query: { handle: `team-${people}` } })).toEqual({
      state: 'own',
    });
  });
});

test('a deleted account leaves its teams, and the teams it owns end', async () => {
  const { teamId, owner, admin, editor } = await teamOfFour();
  const other = await create(editor, 'Other');
  await put(other, owner, 'admin');
  await owner.as(accountsContract).deleteAccount({ body: { email: owner.email } });
  await server.settle();
  expect((await apiOf(admin).listTeams()).teams).toEqual([]);
  await expect(apiOf(admin).restoreTeam({ params: { teamId } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await rolesIn(other)).toEqual([[editor.userId, 'owner']]);
  const newest = async () => (await apiOf(editor).readTeamTrail({ params: { teamId: other } })).entries[0]?.kind;
  await expect.poll(newest).toBe('member-left');
});

test('a user deleted directly in the database takes along the teams they own', async () => {
  const { teamId, owner, editor } = await teamOfFour();
  const other = await create(editor, 'Other');
  await put(other, owner, 'admin');
  await sql`update accounts.users set leaving_at = now() where id = ${owner.userId}`.execute(server.app.db);
  await sql`delete from accounts.users where id = ${owner.userId}`.execute(server.app.db);
  expect(await readAlone(server.app.db, teamReading(teamId))).toBeNull();
  expect(await rolesIn(other)).toEqual([[editor.userId, 'owner']]);
});
