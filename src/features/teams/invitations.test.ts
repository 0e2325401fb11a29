import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { setSuspension } from '#features/accounts/people/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { mostMails } from '#platform/recipients.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from '../../../test/harness/test-client.ts';
import { teamsContract } from './contract.ts';

let server: TestApp;
let owner: TestUser;
let teamId: TeamId;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  owner = await signUpUser(server, 'owner@example.org');
  teamId = (await apiOf(owner).createTeam({ body: { name: 'Sales' } })).team.id;
});
afterAll(() => server.close());

const apiOf = (user: TestUser) => user.as(teamsContract);
/** Somebody else, who may have the link of a mail. */
const stranger = () => apiOf(owner);

/** Asks somebody, and gives the token of the newest mail to them. */
async function invite(email: string, role: 'admin' | 'editor' | 'viewer' = 'editor') {
  const { invitations } = await apiOf(owner).inviteMember({ params: { teamId }, body: { email, role } });
  const id = invitations.find((one) => one.email === email.toLowerCase())?.id;
  if (id === undefined) throw new Error('nobody was invited');
  return { id, token: await newestToken(email.toLowerCase()) };
}
async function newestToken(email: string): Promise<string> {
  const link = (await readMails(server, email)).at(-1)?.links[0];
  const token = /\/join\?token=([\w-]+)$/.exec(link ?? '')?.[1];
  if (token === undefined) throw new Error(`no invitation was mailed to ${email}`);
  return token;
}

test('a user with an account joins once by the invitation to its address', async () => {
  const bob = await signUpUser(server, 'bob@example.org');
  const { id, token } = await invite('Bob@Example.org');
  expect(await stranger().readInvitation({ params: { token } })).toMatchObject({
    team: 'Sales',
    role: 'editor',
    email: 'bob@example.org',
  });
  expect((await apiOf(bob).listTeams()).invitations).toMatchObject([{ id, team: 'Sales' }]);
  expect(await apiOf(bob).acceptInvitation({ params: { invitationId: id } })).toEqual({ team_id: teamId });
  await expect(apiOf(bob).acceptInvitation({ params: { invitationId: id } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(stranger().readInvitation({ params: { token } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(invite('bob@example.org')).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
});

test('an invitation to a confirmed account goes out while its mailbox has room for the first mail of a sender', async () => {
  const { email: known } = await signUpUser(server, 'known@example.org');
  const { email: unconfirmed } = await signUpUser(server, 'unconfirmed@example.org');
  const { db } = server.app;
  await sql`update accounts.users set email_verified_at = null where email = ${unconfirmed}`.execute(db);
  await sql`insert into platform.recipients (mailbox, mails) values (${known}, ${mostMails}), (${unconfirmed}, ${mostMails})`.execute(
    db,
  );
  for (const email of [known, unconfirmed]) await expect(invite(email)).rejects.toMatchObject({ code: 'LIMITED' });
  await sql`update platform.recipients set mails = 10 where mailbox in (${known}, ${unconfirmed})`.execute(db);
  const sent = [await invite(known), await invite(unconfirmed)];
  expect(sent.map(({ token }) => token)).not.toContain('');
});

test('a team invitation cannot be accepted or declined by another address', async () => {
  const eve = await signUpUser(server, 'eve@example.org');
  const { id } = await invite('carol@example.org');
  await expect(apiOf(eve).acceptInvitation({ params: { invitationId: id } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(apiOf(eve).declineInvitation({ params: { invitationId: id } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a person invited without an account signs up with a password first and then joins', async () => {
  const { id, token } = await invite('new@example.org');
  const { rows } = await sql`select from accounts.users where email = 'new@example.org'`.execute(server.app.db);
  expect(rows).toHaveLength(0);
  const access = clientOf(server, accessContract);
  await access.signup({ body: { email: 'new@example.org', password: testPassword } });
  // not proved yet
  const unproved = await sql<{ id: string }>`select id from accounts.users where email = 'new@example.org'`.execute(
    server.app.db,
  );
  expect(unproved.rows).toHaveLength(1);
  await sql`update accounts.users set email_verified_at = now() where email = 'new@example.org'`.execute(server.app.db);
  const { session_token } = await access.login({ body: { email: 'new@example.org', password: testPassword } });
  const api = clientOf(server, teamsContract, session_token ?? '');
  expect((await stranger().readInvitation({ params: { token } })).id).toBe(id);
  expect(await api.acceptInvitation({ params: { invitationId: id } })).toEqual({ team_id: teamId });
});

test('a team invitation leaves the password of an existing account unchanged', async () => {
  const dora = await signUpUser(server, 'dora@example.org');
  const hashOf = () =>
    sql`select hash, changed_at from access.passwords where user_id = ${dora.userId}`.execute(server.app.db);
  const { rows: before } = await hashOf();
  const { id } = await invite('dora@example.org');
  await apiOf(dora).acceptInvitation({ params: { invitationId: id } });
  expect(before).toHaveLength(1);
  expect((await hashOf()).rows).toEqual(before);
});

test('a resent invitation voids the older link, and an expired or withdrawn one cannot be accepted', async () => {
  const { id, token } = await invite('frank@example.org');
  await apiOf(owner).resendInvitation({ params: { teamId, invitationId: id } });
  const newer = await newestToken('frank@example.org');
  expect(newer).not.toBe(token);
  await expect(stranger().readInvitation({ params: { token } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await stranger().readInvitation({ params: { token: newer } })).id).toBe(id);
  await sql`update teams.invitations set expires_at = now() - interval '1 second' where id = ${id}`.execute(
    server.app.db,
  );
  const frank = await signUpUser(server, 'frank@example.org');
  await expect(apiOf(frank).acceptInvitation({ params: { invitationId: id } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await apiOf(owner).resendInvitation({ params: { teamId, invitationId: id } });
  const { invitations } = await apiOf(owner).withdrawInvitation({ params: { teamId, invitationId: id } });
  expect(invitations.some((one) => one.id === id)).toBe(false);
  expect((await apiOf(frank).listTeams()).invitations).toEqual([]);
});

test('ten concurrent acceptances of one team invitation join once', async () => {
  const gina = await signUpUser(server, 'gina@example.org');
  const { id } = await invite('gina@example.org', 'viewer');
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, () => apiOf(gina).acceptInvitation({ params: { invitationId: id } })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a declined team invitation disappears and enters the audit log of the team', async () => {
  const hugo = await signUpUser(server, 'hugo@example.org');
  const { id } = await invite('hugo@example.org');
  await apiOf(hugo).declineInvitation({ params: { invitationId: id } });
  expect((await apiOf(hugo).listTeams()).invitations).toEqual([]);
  const { entries } = await apiOf(owner).readTeamTrail({ params: { teamId } });
  expect(entries[0]).toMatchObject({ kind: 'invitation-declined', details: { email: 'hugo@example.org' } });
});

test('a team invitation to an invalid address is refused, and repeated ones are rate-limited', async () => {
  await expect(invite('nobody')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  for (let n = 0; n < 3; n += 1) await invite('often@example.org');
  await expect(invite('often@example.org')).rejects.toMatchObject({ code: 'LIMITED' });
});

test.each([
  ['leaves', (admin: TestUser) => apiOf(admin).removeMember({ params: { teamId, userId: admin.userId } })],
  ['is removed', (admin: TestUser) => apiOf(owner).removeMember({ params: { teamId, userId: admin.userId } })],
  [
    'is demoted to editor',
    (admin: TestUser) =>
      apiOf(owner).changeMemberRole({ params: { teamId, userId: admin.userId }, body: { role: 'editor' } }),
  ],
  [
    'is suspended',
    (admin: TestUser) => inTransaction(server.app.db, (tx) => setSuspension(server.app, tx, admin.userId, true)),
  ],
  [
    'deletes the account',
    (admin: TestUser) => sql`delete from accounts.users where id = ${admin.userId}`.execute(server.app.db),
  ],
])('a team invitation ends when its inviter %s, and another manager can send it again', async (what, act) => {
  const name = what.replaceAll(' ', '-');
  const admin = await signUpUser(server, `admin-${name}@example.org`);
  const { id: first } = await invite(admin.email, 'admin');
  await apiOf(admin).acceptInvitation({ params: { invitationId: first } });
  const second = await signUpUser(server, `second-${name}@example.org`);
  await apiOf(admin).inviteMember({ params: { teamId }, body: { email: second.email, role: 'admin' } });
  const { invitations } = await apiOf(second).listTeams();
  const [{ id } = { id: '' as never }] = invitations;
  await act(admin);
  await expect(apiOf(second).acceptInvitation({ params: { invitationId: id } })).rejects.toMatchObject({ status: 404 });
  expect((await apiOf(second).listTeams()).invitations).toEqual([]);
  const again = await invite(second.email, 'viewer');
  await apiOf(second).acceptInvitation({ params: { invitationId: again.id } });
  await apiOf(second).removeMember({ params: { teamId, userId: second.userId } });
});

test('an invitation of a new account to a stranger quotes no words of it, and has a smaller allowance', async () => {
  const spammer = await signUpUser(server, 'spammer@example.org');
  const words = 'Invoice overdue: pay at once';
  await spammer.as(accountsContract).changeProfile({ body: { name: words } });
  const { team } = await apiOf(spammer).createTeam({ body: { name: words } });
  const params = { teamId: team.id };
  const send = (email: string) => apiOf(spammer).inviteMember({ params, body: { email, role: 'viewer' } });
  for (let n = 0; n < 15; n += 1) await send(`victim${n}@example.net`);
  await expect(send('victim15@example.net')).rejects.toMatchObject({ code: 'LIMITED' });
  const [mail] = await readMails(server, 'victim0@example.net');
  expect(JSON.stringify(mail)).not.toContain('Invoice');
  expect(JSON.stringify(mail?.content)).toContain('spammer@example.org');
  // an account that is known to its reader, and an account of some days
  const { email: known } = await signUpUser(server, 'reader@example.org');
  await send(known);
  await sql`update accounts.users set created_at = now() - interval '8 days' where email = 'spammer@example.org'`.execute(
    server.app.db,
  );
  await send('victim16@example.net');
  for (const email of [known, 'victim16@example.net']) {
    const [quoted] = await readMails(server, email);
    expect(JSON.stringify(quoted), email).toContain('Invoice');
  }
});
