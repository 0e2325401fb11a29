import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { teamsContract } from '#features/teams/contract.ts';
import { workflowsContract } from '#features/workflows/contract.ts';
import type { TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { admitMails, type MailSource, mailboxOf, mostMails } from '#platform/recipients.ts';
import { insertBookable } from '../harness/bookable.ts';
import { builtPages } from '../harness/built-pages.ts';
import { fixedClock } from '../harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from '../harness/test-client.ts';

/** Mails that nobody has asked for, to one mailbox, by all calls that send any. Mails stay in the outbox. */

const clock = fixedClock('2027-03-01T08:00:00Z');
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;

let server: TestApp;
let mallory: TestUser;
let teamId: TeamId;
beforeAll(async () => {
  server = await startTestApp({ clock, http: { pageRoot: await builtPages() } });
  mallory = await signUpUser(server, 'mallory@example.org');
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
  teamId = (await mallory.as(teamsContract).createTeam({ body: { name: 'Sales' } })).team.id;
});
beforeEach(async () => {
  await server.settle();
  await sql`truncate platform.mails, platform.limits, platform.recipients, booking.appointments cascade`.execute(
    server.app.db,
  );
});
afterAll(() => server.close());

let networks = 0;
const post = async (url: string, payload: object | string) => {
  networks += 1;
  const isForm = typeof payload === 'string';
  const { statusCode } = await server.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    remoteAddress: `10.3.${networks >> 8}.${networks & 255}`,
  });
  return statusCode;
};
const signUp = (email: string) => post('/auth/signup', { email, password: testPassword });
const subscribe = (email: string) => post('/subscribe', new URLSearchParams({ email }).toString());
const askWorkflowAddress = (address: string) => mallory.as(workflowsContract).askAddress({ body: { address } });
const changeEmail = (email: string) => mallory.as(accessContract).changeEmail({ body: { email } });
const invite = (email: string) =>
  mallory.as(teamsContract).inviteMember({ params: { teamId }, body: { email, role: 'viewer' } });

/** Mails to a mailbox, and the addresses that they go to. */
async function mailsOf(mailbox: string): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from platform.mails where recipient not like '%@example.org' order by created_at, id`.execute(
    server.app.db,
  );
  return rows.map(({ recipient }) => recipient).filter((recipient) => mailboxOf(recipient) === mailbox);
}

/** Spellings of one mailbox, each used once. */
const spellings = [
  (n: number) => `vic.tim+${n}@gmail.com`,
  (n: number) => `v.i.ctim+${n}@googlemail.com`,
  (n: number) => `victi.m+${n}@gmail.com`,
] as const;
let spelt = 0;
const spell = () => {
  spelt += 1;
  return spellings[spelt % spellings.length]!(spelt);
};

describe('the mailbox of an address', () => {
  test.each([
    ['Ada+news@Example.org', 'ada@example.org'],
    ['a.d.a@example.org', 'a.d.a@example.org'],
    // support.google.com/mail/answer/7436150, /10313
    ['A.D.A+x.y@GoogleMail.com', 'ada@gmail.com'],
    ['ada@gmail.com', 'ada@gmail.com'],
    // support.apple.com/102529
    ['ada.l@me.com', 'ada.l@icloud.com'],
    // proton.me/support/pm-me-email-address
    ['a-d_a@pm.me', 'ada@proton.me'],
    // a Yandex username with a dash is the one with a dot; without either it is another one
    ['A-da.l+x@ya.ru', 'a.da.l@yandex.ru'],
    ['ada@yandex.kz', 'ada@yandex.ru'],
    ['ada@gmail.com.example.org', 'ada@gmail.com.example.org'],
    ['ＡＤＡ@example.org', 'ada@example.org'],
    ['ada@example.org.', 'ada@example.org'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('of %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
    expect(mailboxOf(mailbox)).toBe(mailbox);
  });
});

test('account mails to one mailbox by its spellings: sign-up, newsletter, workflow address, and new account address share one day', async () => {
  const refused: number[] = [];
  for (let n = 0; n < 40; n += 1) refused.push(await signUp(spell()));
  expect(refused.filter((status) => status === 201)).toHaveLength(5);
  expect(refused.filter((status) => status === 429)).toHaveLength(35);
  for (let n = 0; n < 15; n += 1) await subscribe(spell());
  await server.settle();
  await Promise.allSettled(Array.from({ length: 10 }, () => askWorkflowAddress(spell())));
  await Promise.allSettled(Array.from({ length: 5 }, () => changeEmail(spell())));
  await Promise.allSettled(Array.from({ length: 10 }, () => invite(spell())));
  const mails = await mailsOf('victim@gmail.com');
  expect(mails).toHaveLength(10);
  // each goes to the address as it was typed
  for (const address of mails) expect(address).toMatch(/^(?:vic\.tim|v\.i\.ctim|victi\.m)\+\d+@/);
});

/** Calls, and the mails that one sender of them has in a day (decision 0070). */
const parts = [
  ['sign-ups', signUp, 5],
  ['newsletter', subscribe, 3],
  ['codes for addresses of workflows', askWorkflowAddress, 3],
  ['changes of the account address', changeEmail, 5],
  ['invitations', invite, 3],
] as const;
test.each(parts)('%s alone: one sender has at most a part of the day', async (_, act, most) => {
  for (let n = 0; n < 12; n += 1) await Promise.resolve(act(spell())).catch(() => undefined);
  await server.settle();
  expect(await mailsOf('victim@gmail.com')).toHaveLength(most);
});

test('a refused sign-up leaves no account behind', async () => {
  await sql`insert into platform.recipients (mailbox, mails) values ('full@example.net', ${mostMails})`.execute(
    server.app.db,
  );
  expect(await signUp('full@example.net')).toBe(429);
  await sql`truncate platform.recipients`.execute(server.app.db);
  expect(await signUp('full@example.net')).toBe(201);
});

test('four senders of invitations leave room for the booking and the sign-up of the invited person', async () => {
  const email = 'invited@example.net';
  for (const name of ['m1', 'm2', 'm3', 'm4']) {
    const inviter = await signUpUser(server, `${name}@example.org`);
    const { team } = await inviter.as(teamsContract).createTeam({ body: { name } });
    for (let n = 0; n < 6; n += 1) {
      const body = { email: `invited+${name}${n}@example.net`, role: 'viewer' as const };
      await inviter
        .as(teamsContract)
        .inviteMember({ params: { teamId: team.id }, body })
        .catch(() => undefined);
    }
  }
  // three each of the first two, and the first of the others
  expect(await mailsOf(email)).toHaveLength(8);
  const { path } = await insertBookable(server, mallory, 'intro');
  expect(await post(`${path}/bookings`, { start: nine, name: 'Ina', email, zone: 'UTC' })).toBe(201);
  await server.settle();
  expect(await signUp(email)).toBe(201);
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where recipient = ${email} order by created_at, id`.execute(server.app.db);
  expect(rows.map(({ kind }) => kind)).toEqual(['booking.confirmed', 'access.verify']);
});

/** An act of an account that mails an address of its choice. */
const acts = {
  invitations: async (user: TestUser) => {
    const { team } = await user.as(teamsContract).createTeam({ body: { name: 'Team' } });
    const params = { teamId: team.id };
    return (email: string) => user.as(teamsContract).inviteMember({ params, body: { email, role: 'viewer' } });
  },
  codes: async (user: TestUser) => (address: string) => user.as(workflowsContract).askAddress({ body: { address } }),
};
const kinds = [
  ['invitations', 'stranger'],
  ['invitations', 'account'],
  ['codes', 'stranger'],
  ['codes', 'account'],
] as const;
test.each(kinds)(
  '%s to a reader (%s): two senders have three a day each, and the first of a third sender arrives',
  async (what, reader) => {
    const email = `${what}.${reader}@example.net`;
    if (reader === 'account') await signUpUser(server, email);
    const sent: number[] = [];
    for (const [sender, tries] of [
      ['one', 6],
      ['two', 6],
      ['third', 1],
    ] as const) {
      const act = await acts[what](await signUpUser(server, `${sender}-${what}-${reader}@example.org`));
      for (let n = 0; n < tries; n += 1) {
        // a code at the same moment is the same mail
        clock.advance({ seconds: 1 });
        await act(email).catch(() => undefined);
      }
      sent.push((await mailsOf(email)).length);
    }
    expect(sent).toEqual([3, 6, 7]);
  },
);
test.each(['stranger', 'account'])('40 senders of codes to a reader (%s): 16 mails go out', async (reader) => {
  const email = `many.${reader}@example.net`;
  if (reader === 'account') await signUpUser(server, email);
  for (let n = 0; n < 40; n += 1) {
    const act = await acts.codes(await signUpUser(server, `many-${n}-${reader}@example.org`));
    await act(email).catch(() => undefined);
  }
  expect(await mailsOf(email)).toHaveLength(16);
});

test('a reset of a confirmed account goes out whatever its mailbox got', async () => {
  const reader = await signUpUser(server, 'reader@example.com');
  await sql`insert into platform.recipients (mailbox, mails, stopped_at) values (${reader.email}, ${mostMails}, now())`.execute(
    server.app.db,
  );
  await clientOf(server, accessContract).forgotPassword({ body: { email: reader.email } });
  await server.settle();
  expect(await mailsOf(reader.email)).toEqual([reader.email]);
});

test('a reader who has stopped mails gets none of any sender', async () => {
  const email = 'stopped@example.net';
  await sql`insert into platform.recipients (mailbox, mails, stopped_at) values (${email}, 0, now())`.execute(
    server.app.db,
  );
  expect(await signUp('stopped+1@example.net')).toBe(429);
  await subscribe('stopped+2@example.net');
  for (const act of [askWorkflowAddress, changeEmail, invite])
    await expect(act('stopped+3@example.net')).rejects.toMatchObject({ code: 'LIMITED' });
  await server.settle();
  expect(await mailsOf(email)).toEqual([]);
});

test('160 mails at once of 40 hosts to one mailbox: no sender passes its part, and hosts leave room for what the reader asks for', async () => {
  const admit = (source: MailSource, address: string) =>
    inTransaction(server.app.db, (tx) => admitMails(tx, [{ ...source, address, isCounted: true }]));
  const senders = await Promise.all(
    Array.from({ length: 160 }, async (_, n) => {
      const sender = `host ${n % 40}`;
      const [id] = await admit({ share: 'named', sender }, `vic+${n}@example.net`);
      return id === null ? [] : [sender];
    }),
  );
  const admitted = senders.flat();
  expect(admitted).toHaveLength(16);
  for (const all of Map.groupBy(admitted, (sender) => sender).values()) expect(all.length).toBeLessThanOrEqual(3);
  const given = await Promise.all(
    Array.from({ length: 5 }, (_, n) => admit({ share: 'given', sender: `page ${n}` }, 'vic@example.net')),
  );
  expect(given.flat().filter((id) => id !== null)).toHaveLength(2);
  const account = await Promise.all(
    Array.from({ length: 5 }, () => admit({ share: 'account', sender: 'sign-up' }, 'vic@example.net')),
  );
  expect(account.flat().filter((id) => id !== null)).toHaveLength(1);
  const [changed] = await admit({ share: 'account', sender: 'another account' }, 'vic@example.net');
  expect(changed).not.toBeNull();
  // the next day
  await sql`update platform.recipients set since = since - interval '24 hours'`.execute(server.app.db);
  expect(await admit({ share: 'named', sender: 'host 0' }, 'vic@example.net')).not.toEqual([null]);
  const { rows } = await sql`select mails, senders from platform.recipients`.execute(server.app.db);
  expect(rows).toEqual([{ mails: 1, senders: { 'host 0': 1 } }]);
});
