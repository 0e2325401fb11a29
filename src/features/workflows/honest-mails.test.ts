import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formSubmitted } from '#features/routing/events.ts';
import type { StepId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { Definition } from './rules/definition.ts';
import type { RunView } from './rules/workflow-endpoints.ts';
import { sendDue } from './runs/sending.ts';

/** To whom a host can have free text sent, how often, and how its readers stop it. */

const minute = 60_000;
const start = '2027-03-01T08:00:00Z';
const clock = fixedClock(start);
const monday = Date.UTC(2027, 2, 8, 14) / minute;
const free = 'Words of the host';

let server: TestApp;
let smtp: TestSmtpServer;
let anna: TestUser;
let count = 0;

beforeAll(async () => {
  smtp = await startSmtpServer();
  const config = { smtpUrl: smtp.url, publicUrl: 'https://holdfast.example' };
  server = await startTestApp({ clock, config, http: { pageRoot: await builtPages() } });
  anna = await signUpUser(server, 'anna@example.org');
  await sql`update accounts.users set name = 'Anna Lee', zone = 'America/New_York'`.execute(server.app.db);
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});
beforeEach(async () => {
  await server.settle();
  clock.set(start);
  await sql`truncate booking.appointments, workflows.workflows, workflows.readers cascade`.execute(server.app.db);
  await sql`truncate platform.limits, platform.recipients`.execute(server.app.db);
});

async function call<Answer>(method: 'GET' | 'POST', url: string, payload?: object, by = anna): Promise<Answer> {
  const headers = { authorization: `Bearer ${by.token}` };
  const response = await server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  expect(response.statusCode, response.body).toBeLessThan(300);
  return response.json<Answer>();
}

async function makeWorkflow(trigger: Definition['trigger'], steps: number, to = 'guest', by = anna): Promise<string> {
  const definition: Definition = {
    trigger,
    offset: { amount: 0, unit: 'minutes' },
    filter: { event_type_ids: null },
    if_past: 'skip',
    if_late: 'send',
    quiet_hours: null,
    steps: Array.from({ length: steps }, (_, n) => ({
      id: randomUUID() as StepId,
      action: { kind: 'send-email', to, subject: `${free} ${n}`, body: 'Buy this.', ics: false },
    })),
  };
  const wanted = { name: trigger, definition };
  const { workflow } = await call<{ workflow: { id: string } }>('POST', '/api/workflows', wanted, by);
  await server.settle();
  return workflow.id;
}

async function book(email: string, more: object = {}): Promise<string> {
  count += 1;
  const { path } = await insertBookable(server, anna, `intro-${count}`, { guests_allowed: 3 });
  const guest = { start: monday + 30 * (count % 16), name: 'Gus', email, zone: 'UTC', language: 'en', ...more };
  const { bookings } = await call<{ bookings: { token: string }[] }>('POST', `${path}/bookings`, guest);
  await server.settle();
  return bookings[0]?.token ?? '';
}

async function submit(email: string, formName: string, to = anna): Promise<void> {
  await inTransaction(server.app.db, (tx) =>
    server.app.news.announce(tx, formSubmitted, {
      submissionId: randomUUID(),
      formId: randomUUID(),
      formName,
      userId: to.userId,
      teamId: null,
      name: 'Fay',
      email,
      phone: null,
      answers: [],
      atMs: clock.nowMs(),
    }),
  );
  await server.settle();
}

const postForm = async (url: string, payload: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
  const answer = await server.inject({ method: 'POST', url, headers, payload });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer;
};

async function work(): Promise<void> {
  await server.settle();
  await sendDue(server.app, 'mail', new AbortController().signal);
  await server.settle();
}
const ofWorkflows = (address: string): ReceivedMail[] =>
  smtp.mailsTo(address).filter(({ parsed }) => parsed.subject?.startsWith(free));
const asksTo = (address: string): ReceivedMail[] =>
  smtp.mailsTo(address).filter(({ parsed }) => parsed.subject?.startsWith('Confirm your address to receive'));
const confirmLinkOf = (mail: ReceivedMail | undefined): string =>
  new URL(mail?.links.find((one) => one.includes('/subscribe/')) ?? '').pathname;
const reasonsOf = async (workflowId: string) =>
  (await call<{ runs: RunView[] }>('GET', `/api/workflows/${workflowId}/runs`)).runs.map(({ reason }) => reason);
const tally = (reasons: (string | null)[], reason: string) => reasons.filter((one) => one === reason).length;

/** The mail behind a booking proves its address. */
async function prove(email: string): Promise<void> {
  const links = smtp.mailsTo(email).flatMap((mail) => mail.links);
  const link = links.findLast((one) => one.includes('?proof=')) ?? '';
  const { pathname, searchParams } = new URL(link);
  await call('POST', `/api${pathname}/confirm`, { proof: searchParams.get('proof') });
  await server.settle();
}

/** The link that its footer and its header give to stop such mails. */
function stopLinkOf({ parsed, links }: ReceivedMail): string {
  const header = parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const link = links.find((one) => one.includes('/unsubscribe/')) ?? '';
  expect(header).toBe(`<${link}>`);
  expect(parsed.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click');
  return link.replace('https://holdfast.example', '');
}

test('workflows as a mail relay: an address that nobody has proved gets none of their words, and is asked once', async () => {
  const created = await makeWorkflow('booking-created', 10);
  const moved = await makeWorkflow('booking-rescheduled', 10);
  const strangers = ['s1@example.net', 's2@example.net', 's3@example.net'];
  const tokens: string[] = [];
  for (const email of strangers) tokens.push(await book(email));
  await work();
  for (let n = 0; n < 5; n += 1) {
    await call('POST', `/api/booked/${tokens[0]}/reschedule`, { start: monday + 1_440 + 30 * n, sequence: n });
    await work();
  }
  expect(strangers.map((email) => ofWorkflows(email).length)).toEqual([0, 0, 0]);
  expect(strangers.map((email) => asksTo(email).length)).toEqual([1, 1, 1]);
  expect(tally(await reasonsOf(created), 'unproved')).toBe(30);
  expect(await reasonsOf(moved)).toContain('unproved');
  // and no more once it is too late
  clock.advance({ hours: 25 });
  await work();
  expect(strangers.flatMap(ofWorkflows)).toEqual([]);
  const { runs } = await call<{ runs: RunView[] }>('GET', `/api/workflows/${created}/runs`);
  expect(new Set(runs.map(({ state, reason }) => `${state} ${reason}`))).toEqual(new Set(['skipped unproved']));
});

test('a form as a mail relay: the first mail to an address is fixed words and a button, and the words of the host follow it', async () => {
  const workflow = await makeWorkflow('form-submitted', 2);
  const email = 'victim@example.net';
  await submit(email, `${free} https://evil.example`);
  await work();
  expect(ofWorkflows(email)).toEqual([]);
  const [ask, ...more] = smtp.mailsTo(email);
  expect(more).toEqual([]);
  expect(ask?.parsed.subject).toBe('Confirm your address to receive an email');
  const everything = `${ask?.parsed.text} ${ask?.parsed.html}`;
  for (const word of [free, 'Buy this', 'evil']) expect(everything).not.toContain(word);
  expect(ask?.parsed.from?.name).not.toContain('Anna');
  // the footer and the header stop the mails of all hosts
  const stop = stopLinkOf(ask!);
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox from platform.recipients where id = ${stop.split('/').at(-1)}`.execute(server.app.db);
  expect(rows).toEqual([{ mailbox: 'victim@example.net' }]);

  const link = confirmLinkOf(ask);
  // programs that look at mails open the link: that alone confirms nothing
  const page = await server.inject({ url: link, headers: { accept: 'text/html' } });
  expect(page.body).toMatch(/Get emails from .*Anna Lee/);
  await work();
  expect(ofWorkflows(email)).toEqual([]);
  await postForm(link, '');
  await work();
  expect(ofWorkflows(email).map(({ parsed }) => parsed.text?.includes('Buy this'))).toEqual([true, true]);
  expect(ofWorkflows(email)[0]?.parsed.text).toMatch(/Anna Lee.* sent this email\. .* in the form /);
  expect(await reasonsOf(workflow)).toEqual([null, null]);
  // another form of this host needs no second confirmation, and one of another host does
  await submit(email, 'Contact us');
  await work();
  expect(ofWorkflows(email)).toHaveLength(4);
  const other = await signUpUser(server, `other-${count}@example.org`);
  await makeWorkflow('form-submitted', 1, 'guest', other);
  await submit(email, 'Contact us', other);
  await work();
  expect(ofWorkflows(email)).toHaveLength(4);
  expect(asksTo(email)).toHaveLength(2);
});

test('forms as a mail relay: spellings of one mailbox are asked once a day', async () => {
  await makeWorkflow('form-submitted', 1);
  const addresses = [1, 2, 3, 4, 5].flatMap((n) => [`flo.od+${n}@gmail.com`, `f.lood+${n}@googlemail.com`]);
  for (const email of addresses) await submit(email, 'Contact us');
  await work();
  expect(addresses.flatMap((email) => smtp.mailsTo(email))).toHaveLength(1);
});

test('a guest with a confirmed account here is asked before they get the words of a host, and a member of a team of the host is not', async () => {
  const [mate, second, stranger] = [
    await signUpUser(server, 'colleague@example.org'),
    await signUpUser(server, 'second-colleague@example.org'),
    await signUpUser(server, 'stranger@example.org'),
  ];
  const other = await signUpUser(server, 'host-elsewhere@example.org');
  await insertTeam(server, 'colleagues', [{ user: anna }, { user: mate }, { user: second }]);
  await insertTeam(server, 'elsewhere', [{ user: other }, { user: stranger }]);
  const workflow = await makeWorkflow('booking-created', 3, 'guests');
  await book(mate.email, { guests: [second.email, stranger.email] });
  await prove(mate.email);
  await book(stranger.email);
  await work();
  const all = [mate, second, stranger].map(({ email }) => email);
  expect(all.map((email) => ofWorkflows(email).length)).toEqual([3, 3, 0]);
  expect(all.map((email) => asksTo(email).length)).toEqual([0, 0, 1]);
  // mails to colleagues do not count as mails to an unproved address
  const { rows } = await sql`select from platform.recipients where mailbox in (${mate.email}, ${second.email})`.execute(
    server.app.db,
  );
  expect(rows).toHaveLength(0);
  expect(tally(await reasonsOf(workflow), 'unproved')).toBe(3);

  await postForm(confirmLinkOf(asksTo(stranger.email)[0]), '');
  await work();
  expect(ofWorkflows(stranger.email)).toHaveLength(3);
  // confirmed for this host, and for no other
  await makeWorkflow('form-submitted', 1, 'guest', mate);
  await submit(stranger.email, 'Contact us', mate);
  await work();
  expect(ofWorkflows(stranger.email)).toHaveLength(3);
});

test('a guest who has proved the address gets five mails a day of one host, who sees that in the log, and 20 of all hosts', async () => {
  const email = 'proved@example.net';
  await book(email);
  await prove(email);
  const workflow = await makeWorkflow('booking-created', 10);
  await book(email);
  await prove(email);
  await work();
  expect(ofWorkflows(email)).toHaveLength(5);
  expect(tally(await reasonsOf(workflow), 'too-many-to-address')).toBe(5);
  // the mails of the first host leave room for the next ones
  const totals: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const other = await signUpUser(server, `host-${n}-of-proved@example.org`);
    await makeWorkflow('form-submitted', 6, 'guest', other);
    await submit(email, 'Contact us', other);
    await work();
    await postForm(confirmLinkOf(asksTo(email).at(-1)), '');
    await work();
    totals.push(ofWorkflows(email).length);
  }
  expect(totals).toEqual([10, 15, 20, 20]);
});

test('people whom a guest brings get the words of the host once they have confirmed their address', async () => {
  await makeWorkflow('booking-created', 2, 'guests');
  const [email, friend, second] = ['brings@example.net', 'friend@example.net', 'second@example.net'];
  const bring = async () => {
    await book(email, { guests: [friend, second] });
    await prove(email);
    await work();
  };
  await bring();
  expect([email, friend, second].map((one) => ofWorkflows(one).length)).toEqual([2, 0, 0]);
  expect([email, friend, second].map((one) => asksTo(one).length)).toEqual([0, 1, 1]);
  await postForm(confirmLinkOf(asksTo(friend)[0]), '');
  await bring();
  expect([email, friend, second].map((one) => ofWorkflows(one).length)).toEqual([4, 2, 0]);
});

test('a reader who stops the mails of a host does not get those that wait in the outbox', async () => {
  await makeWorkflow('booking-created', 1);
  const email = 'waits@example.net';
  await book(email);
  await prove(email);
  await work();
  const link = stopLinkOf(ofWorkflows(email)[0]!);
  // the server of the reader takes nothing at the moment
  const busy = { at: 'rcpt', answer: '450 4.2.1 try again later' } as const;
  smtp.next(...Array.from({ length: 12 }, () => busy));
  await book(email);
  await work();
  const waiting = async () =>
    (
      await sql<{ kind: string }>`
        select kind from platform.mails where recipient = ${email} and state in ('queued', 'sending') order by kind`.execute(
        server.app.db,
      )
    ).rows.map(({ kind }) => kind);
  expect(await waiting()).toContain('workflows.step');
  const booked = (await waiting()).filter((kind) => kind !== 'workflows.step');
  await postForm(link, 'List-Unsubscribe=One-Click');
  // mails about the booking itself still come
  expect(await waiting()).toEqual(booked);
  smtp.recover();
});

test('a link in a mail of one host offers to stop the mails of all hosts', async () => {
  const workflow = await makeWorkflow('booking-created', 1);
  const email = 'tired@example.net';
  await book(email);
  await prove(email);
  await work();
  const link = stopLinkOf(ofWorkflows(email)[0]!);
  const stopped = await postForm(link, 'List-Unsubscribe=One-Click');
  expect(stopped.body).toContain('Stop all emails');
  const all = await postForm(link, 'all=yes');
  expect(all.body).toContain('New bookings with this address are rejected');
  const other = await signUpUser(server, `another-${count}@example.org`);
  await makeWorkflow('form-submitted', 1, 'guest', other);
  const before = smtp.mailsTo(email).length;
  await submit(email, 'Contact us', other);
  await work();
  expect(smtp.mailsTo(email)).toHaveLength(before);
  expect(await reasonsOf(workflow)).toEqual([null]);
});

test('every mail of a workflow names its host and its reason, and a click in its footer or header stops the next', async () => {
  const workflow = await makeWorkflow('booking-created', 1);
  const [reader, clicker] = ['reader@example.net', 'clicker@example.net'];
  for (const email of [reader, clicker]) {
    await book(email);
    await prove(email);
  }
  await work();
  const [mail] = ofWorkflows(reader);
  const [other] = ofWorkflows(clicker);
  if (mail === undefined || other === undefined) throw new Error('no mail came');
  expect(mail.parsed.text).toMatch(/Anna Lee.* sent this email\. This address was entered when booking .*Intro/);
  expect(mail.parsed.html).toMatch(/<a href="https:\/\/holdfast\.example\/unsubscribe\/[^"]+"[^>]*>Stop emails from/);

  // programs that look at mails open the link: that alone stops nothing
  const link = stopLinkOf(mail);
  const page = await server.inject({ url: link, headers: { accept: 'text/html' } });
  expect(page.body).toMatch(/Stop emails from .*Anna Lee/);
  await book(reader);
  await prove(reader);
  await work();
  expect(ofWorkflows(reader)).toHaveLength(2);

  const byForm = 'application/x-www-form-urlencoded';
  const byPart = 'multipart/form-data; boundary=b';
  const part = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
  for (const [url, type, payload] of [
    [link, byForm, 'List-Unsubscribe=One-Click'],
    [stopLinkOf(other), byPart, part],
  ] as const) {
    const answer = await server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
    expect(answer.statusCode, answer.body).toBe(200);
  }
  for (const email of [reader, clicker]) {
    await book(email);
    await prove(email);
  }
  await work();
  expect([ofWorkflows(reader).length, ofWorkflows(clicker).length]).toEqual([2, 1]);
  expect(tally(await reasonsOf(workflow), 'stopped')).toBe(2);
  expect((await server.inject({ url: `${link.slice(0, -6)}aaaaaa` })).statusCode).toBe(404);
});
