import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { dumpDatabase, findInDump } from '../../../test/harness/dump-database.ts';
import { type FixedClock, fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { solvePage, useUp } from '../../../test/harness/under-load.ts';
import type { EventTypeId, FormId, SubmissionId, TeamId, UserId } from '../../kernel/ids.ts';
import { solutionField } from '../../kernel/solve-challenge.ts';
import { accountsContract } from '../accounts/contract.ts';
import { bookingContract } from '../booking/contract.ts';
import type { Made } from '../booking/rules/booking-endpoints.ts';
import { connectionsContract } from '../connections/contract.ts';
import { contactsContract } from '../contacts/contract.ts';
import { teamsContract } from '../teams/contract.ts';
import { busyForm } from './answers.ts';
import { routingContract } from './contract.ts';
import { listForms } from './forms.ts';
import type { Definition } from './rules/form-definition.ts';

const minute = 60_000;
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

let clock: FixedClock;
let server: TestApp;
let networks = 0;
beforeAll(async () => {
  clock = fixedClock('2027-03-01T13:00:00Z');
  server = await startTestApp({ clock, http: { pageRoot: await builtPages() } });
});
afterAll(() => server.close());
beforeEach(() => {
  networks += 1;
});

const idOf = (user: TestUser) => user.userId as UserId;

let teams = 0;
interface Sales {
  anna: TestUser;
  ben: TestUser;
  carla: TestUser;
  teamId: TeamId;
  handle: string;
  typeId: EventTypeId;
}
/** Three people who take turns; the first owns the team, the second is an editor, the third a viewer. */
async function newTeam(): Promise<Sales> {
  teams += 1;
  const people: TestUser[] = [];
  for (const name of ['anna', 'ben', 'carla']) {
    const user = await signUpUser(server, `${name}-r${teams}@example.org`);
    await user.as(connectionsContract).connectOwn();
    people.push(user);
  }
  const handle = `routing${teams}`;
  const mates = people.map((user, n) => ({ user, role: (['owner', 'editor', 'viewer'] as const)[n] ?? 'viewer' }));
  const teamId = await insertTeam(server, handle, mates);
  const { typeId } = await insertTeamType(server, { teamId, handle }, mates, {
    kind: 'round-robin',
    slug: 'demo',
    questions: [{ id: 'company', label: 'Company', kind: 'text', required: false }],
  });
  await server.settle();
  const [anna, ben, carla] = people as [TestUser, TestUser, TestUser];
  return { anna, ben, carla, teamId, handle, typeId };
}

const led = (typeId: EventTypeId, users: readonly TestUser[] | null = null, ownerFirst = false) => ({
  kind: 'event-type' as const,
  event_type_id: typeId,
  user_ids: users?.map(idOf) ?? null,
  contact_owner_first: ownerFirst,
});

/** Large companies meet Ben, small ones whoever is next, others are told something. */
const definitionOf = ({ typeId, ben }: Sales, more: Partial<Definition> = {}): Definition => ({
  type: 'conditional',
  title: 'How can we help?',
  intro: 'Three questions.',
  questions: [
    { id: 'name', label: 'Your name', kind: 'text', required: true },
    { id: 'email', label: 'Email', kind: 'email', required: true },
    { id: 'company', label: 'Company', kind: 'text', required: false },
    {
      id: 'size',
      label: 'How large?',
      kind: 'select',
      required: true,
      options: [
        { id: 'small', label: 'Small' },
        { id: 'large', label: 'Large' },
        { id: 'unsure', label: 'Not sure', to_fallback: true },
      ],
    },
    { id: 'utm', label: 'Campaign', kind: 'text', required: false, hidden: true },
  ],
  rules: [
    {
      id: 'big',
      name: 'Large companies',
      match: 'all',
      conditions: [{ question: 'size', op: 'is', values: ['large'] }],
      action: led(typeId, [ben]),
    },
    {
      id: 'rest',
      match: 'any',
      conditions: [{ question: 'size', op: 'is', values: ['small'] }],
      action: led(typeId),
    },
  ],
  fallback: { kind: 'message', text: 'Write to us <soon>.' },
  frames: [],
  ...more,
});

async function newForm(sales: Sales, more: Partial<Definition> = {}, slug = `help-${randomUUID().slice(0, 8)}`) {
  const { form } = await sales.anna.as(routingContract).createForm({
    body: { team_id: sales.teamId, name: 'Help', slug, definition: definitionOf(sales, more) },
  });
  return { id: form.id as FormId, path: `/${sales.handle}/forms/${slug}`, form };
}

const visit = (url: string) => server.inject({ url, headers: { accept: 'text/html' } });
const send = (
  url: string,
  fields: Record<string, string | string[]>,
  attempt: string = randomUUID(),
  language: string = 'en',
) =>
  server.inject({
    method: 'POST',
    url,
    remoteAddress: `10.4.0.${networks}`,
    payload: new URLSearchParams(
      Object.entries({ attempt, ...fields }).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
    ).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'accept-language': language,
    },
  });
const nina = { name: 'Nina', email: 'nina@example.net' };

let guests = 0;
async function book(link: string, start = nine, email = `guest-r${guests}@example.net`): Promise<Made> {
  guests += 1;
  const token = /\/l\/([\w-]+)/.exec(link)?.[1];
  const payload = { start, name: 'Nina', email, zone: 'Europe/Berlin' };
  const remoteAddress = `10.5.0.${guests % 250}`;
  const url = `/api/book/l/${token}/bookings`;
  const response = await server.inject({ method: 'POST', url, payload, remoteAddress });
  if (response.statusCode !== 201) throw new Error(`not booked: ${response.body}`);
  await server.settle();
  return response.json<Made>();
}
const submissionsOf = async (user: TestUser, id: FormId) =>
  (await user.as(routingContract).listSubmissions({ params: { id } })).submissions;

describe('routing form page', () => {
  test('a routing form is prefilled from its URL, keeps invalid answers, and redirects to the booking page once', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    const shown = await visit(`${path}?name=Nina%20%3Cb%3E&size=large&utm=spring&company=Acme`);
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain('value="Nina &lt;b&gt;"');
    expect(shown.body).toMatch(/<option value="large" selected="">/);
    expect(shown.body).toContain('<input type="hidden" name="utm" value="spring"/>');
    expect(shown.body).not.toContain('<script type="module"');

    const wrong = await send(path, { ...nina, email: 'nina@', size: 'huge', company: 'Acme' });
    expect(wrong.statusCode).toBe(422);
    for (const said of ['Not sent yet', 'Enter a valid email address', 'Choose one of the options', 'value="Acme"'])
      expect(wrong.body).toContain(said);
    expect(await submissionsOf(sales.anna, id)).toEqual([]);

    const good = { ...nina, size: 'large', company: 'Acme', utm: 'spring' };
    const sent = await send(path, good, 'attempt-1');
    expect(sent.statusCode).toBe(303);
    const link = String(sent.headers.location);
    expect(link).toMatch(/^\/l\/[\w-]+\?name=Nina&email=nina%40example.net&q-name=Nina&/);
    expect((await send(path, good, 'attempt-1')).headers.location).toBe(link);
    const booking = await visit(link);
    expect(booking.statusCode).toBe(200);
    const [kept, ...others] = await submissionsOf(sales.anna, id);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({
      name: 'Nina',
      email: 'nina@example.net',
      revision: 1,
      rule_id: 'big',
      rule_name: 'Large companies',
      reasons: [{ rule_id: 'big', fits: true, held: [true], conditions: ['How large? is Large'] }],
      leads_to: 'Demo',
      hosts: [{ user_id: sales.ben.userId }],
      booking: null,
    });
    expect(kept?.answers.map(({ answer }) => answer)).toEqual(['Nina', 'nina@example.net', 'Acme', 'Large', 'spring']);
    expect(new URL(kept?.link_url ?? '').pathname).toBe(link.replace(/\?.*/, ''));
  });

  test('a routing rule with named hosts limits the round robin to them, and the booking is linked to its submission', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    // both free and nobody had one: by the rule of the whole pool it would be another's turn at least once
    const links: string[] = [];
    for (let n = 0; n < 3; n += 1) links.push(String((await send(path, { ...nina, size: 'large' })).headers.location));
    for (const [n, link] of links.entries()) await book(link, nine + n * 60, 'nina@example.net');
    const kept = await submissionsOf(sales.anna, id);
    expect(kept.map(({ booking }) => booking?.hosts.map(({ user_id }) => user_id))).toEqual(
      links.map(() => [sales.ben.userId]),
    );
    expect(kept.map(({ link_url: url }) => url)).toEqual([null, null, null]);
    // a link is for one booking
    await expect(book(links[0] ?? '', nine + 240)).rejects.toThrow('not booked');
    // the others go on by their turns
    const next = String((await send(path, { ...nina, size: 'small' })).headers.location);
    await book(next, nine + 300);
    const [last] = await submissionsOf(sales.anna, id);
    expect(last?.rule_id).toBe('rest');
    await send(path, { ...nina, size: 'unsure' });
    await send(path, { ...nina, size: 'small' });
    const found = async (only: 'booked' | 'open' | 'fallback') => {
      const query = { only, limit: 3 };
      const { submissions, more } = await sales.anna.as(routingContract).listSubmissions({ params: { id }, query });
      return [submissions.map(({ rule_id: rule }) => rule), more];
    };
    expect(await found('booked')).toEqual([['rest', 'big', 'big'], true]);
    expect(await found('open')).toEqual([['rest'], false]);
    expect(await found('fallback')).toEqual([[null], false]);
    expect(last?.reasons.map(({ fits }) => fits)).toEqual([false, true]);
    expect(last?.booking?.hosts.map(({ user_id }) => user_id)).not.toEqual([sales.ben.userId]);
  });

  test('a booking from a routing rule stays with its named hosts when the guest reschedules', async () => {
    const sales = await newTeam();
    const { path } = await newForm(sales);
    const link = String((await send(path, { ...nina, size: 'large' })).headers.location);
    const { bookings } = await book(link);
    const token = bookings[0]?.token;
    // Ben is taken at ten by another guest of his pool
    await book(String((await send(path, { ...nina, size: 'large' })).headers.location), nine + 60);
    const answer = await server.inject({
      method: 'POST',
      url: `/api/booked/${token}/reschedule`,
      payload: { start: nine + 60, sequence: 0 },
    });
    expect([answer.statusCode, answer.json().detail?.code]).toEqual([409, 'SLOT_TAKEN']);
  });

  test('a routing form shows its message, its external link, and that it is switched off', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    const told = await send(path, { ...nina, size: 'unsure' });
    expect(told.statusCode).toBe(200);
    expect(told.body).toContain('Write to us &lt;soon&gt;.');

    const definition = definitionOf(sales, {
      rules: [],
      fallback: { kind: 'url', url: 'https://example.org/start?a=1' },
    });
    const api = sales.anna.as(routingContract);
    const change = { revision: 1, name: 'Help', description: '', slug: path.split('/').at(-1) ?? '', definition };
    await api.changeForm({ params: { id }, body: change });
    const away = await send(path, { ...nina, size: 'unsure' });
    expect(away.body).toContain('Continue to example.org');
    expect(away.body).toContain('href="https://example.org/start?a=1" target="_top"');

    await api.switchForm({ params: { id }, body: { active: false } });
    for (const answer of [await visit(path), await send(path, { ...nina, size: 'small' })])
      expect(answer.body).toContain('This form is closed');
    expect(await submissionsOf(sales.anna, id)).toHaveLength(2);
    await api.deleteForm({ params: { id } });
    expect((await visit(path)).statusCode).toBe(404);
    await api.restoreForm({ params: { id } });
    expect((await visit(path)).statusCode).toBe(200);
  });

  test('a routing form with a deleted event type shows the fallback, and the submission records it', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    await sales.anna.as(bookingContract).deleteEventType({ params: { id: sales.typeId } });
    const told = await send(path, { ...nina, size: 'large' });
    expect(told.body).toContain('Write to us &lt;soon&gt;.');
    const [kept] = await submissionsOf(sales.anna, id);
    expect(kept).toMatchObject({ rule_id: 'big', trouble: 'type-gone', leads_to: 'Write to us <soon>.' });
  });

  test('a routing form can be framed by its listed sites only, and passes the frame on to the booking page', async () => {
    const sales = await newTeam();
    const site = 'https://site.example';
    const api = sales.anna.as(routingContract);
    const framed = definitionOf(sales, { frames: [site] });
    await expect(
      api.createForm({ body: { team_id: sales.teamId, name: 'Framed', definition: framed } }),
    ).rejects.toMatchObject({ status: 400, fields: { 'definition.frames': expect.stringContaining(site) } });
    await sql`update booking.event_types set settings = settings || ${JSON.stringify({ frames: [site] })}::jsonb
      where id = ${sales.typeId}`.execute(server.app.db);
    const { path } = await newForm(sales, { frames: [site] });
    const shown = await visit(`${path}?embed=${encodeURIComponent(site)}`);
    expect(shown.headers['content-security-policy']).toContain(`frame-ancestors 'self' ${site}`);
    expect(shown.body).toContain(`data-framed-by="${site}"`);
    const sent = await send(path, { ...nina, size: 'small', embed: site });
    expect(String(sent.headers.location)).toContain(`embed=${encodeURIComponent(site)}`);
  });

  test('a routing form rate-limits one network and keeps what was typed', async () => {
    const sales = await newTeam();
    const { path } = await newForm(sales);
    let last = await send(path, { ...nina, size: 'unsure' });
    for (let n = 0; n < 25 && last.statusCode === 200; n += 1) last = await send(path, { ...nina, size: 'unsure' });
    expect(last.statusCode).toBe(429);
    expect(last.body).toContain('There were too many submissions from your network');
    expect(last.body).toContain('value="Nina"');
  });
});

const useUpAllowance = (action: string, subject: string, period: string) =>
  sql`insert into platform.limits (key, full_at)
    values (sha256(convert_to(${action}, 'UTF8') || '\\x00'::bytea || convert_to(${subject}, 'UTF8')),
      now() + ${period}::interval)`.execute(server.app.db);

describe('a routing form under load', () => {
  test('a routing form under load accepts a solved challenge once, and the answers stay on the page', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    await useUp(server, busyForm(id), 'quiet');
    const answers = { ...nina, size: 'unsure' };
    const asked = await send(path, answers);
    expect(asked.statusCode).toBe(409);
    expect(asked.body).toContain('Your browser is running a short check');
    expect(asked.body).toContain('value="Nina"');
    expect(asked.body).toContain(`<input type="hidden" name="${solutionField}" value=""/>`);
    expect(await submissionsOf(sales.anna, id)).toEqual([]);
    const script = /<script data-challenge="[^"]*">([\s\S]*?)<\/script>/.exec(asked.body)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(asked.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`);

    const solution = await solvePage(asked.body);
    const forged = JSON.stringify({ ...JSON.parse(solution), number: 1 });
    expect((await send(path, { ...answers, [solutionField]: forged })).statusCode).toBe(409);
    expect((await send(path, { ...answers, [solutionField]: solution })).statusCode).toBe(200);
    expect((await send(path, { ...answers, [solutionField]: solution })).statusCode).toBe(409);
    expect(await submissionsOf(sales.anna, id)).toHaveLength(1);
    const other = await newForm(sales);
    await useUp(server, busyForm(other.id), 'quiet');
    const fresh = await solvePage((await send(path, answers)).body);
    expect((await send(other.path, { ...answers, [solutionField]: fresh })).statusCode).toBe(409);
  });

  test('a routing form under load accepts some answers without script, then says so and keeps what was typed', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    await useUp(server, busyForm(id), 'quiet');
    const answers = { ...nina, size: 'unsure', [solutionField]: '' };
    expect((await send(path, answers)).statusCode).toBe(200);
    await useUp(server, busyForm(id), 'plain');
    const refused = await send(path, answers);
    expect(refused.statusCode).toBe(429);
    expect(refused.body).toContain('Turn on JavaScript, or try again in an hour');
    expect(refused.body).toContain('value="Nina"');
    expect(await submissionsOf(sales.anna, id)).toHaveLength(1);
  });

  test('a routing form with 500 submissions an hour limits each network, and other networks still submit', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    const answers = { ...nina, size: 'unsure' };
    await useUpAllowance('form', id, '1 hour');
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await send(path, answers)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    networks += 1;
    expect((await send(path, answers)).statusCode).toBe(200);
  });

  test('all routing forms of a team have 3,000 submissions a day, and then each network is limited', async () => {
    const sales = await newTeam();
    const [one, other] = [await newForm(sales), await newForm(sales)];
    const answers = { ...nina, size: 'unsure' };
    await useUpAllowance('form per owner', sales.teamId, '1 day');
    const statuses: number[] = [];
    for (const { path } of [one, other, one, other]) statuses.push((await send(path, answers)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    networks += 1;
    expect((await send(other.path, answers)).statusCode).toBe(200);
  });

  test('a network sends 200 submissions a day to all routing forms', async () => {
    const [sales, others] = [await newTeam(), await newTeam()];
    const [one, other] = [await newForm(sales), await newForm(others)];
    const answers = { ...nina, size: 'unsure' };
    expect((await send(one.path, answers)).statusCode).toBe(200);
    const { rows } = await sql<{ key: string }>`
      select encode(key, 'hex') as key from platform.limits
      where full_at > now() + interval '7 minutes' and full_at < now() + interval '8 minutes'`.execute(server.app.db);
    // a 200th of a day
    expect(rows.length).toBeGreaterThan(0);
    await sql`update platform.limits set full_at = now() + interval '1 day'
      where encode(key, 'hex') = any(${rows.map(({ key }) => key)}::text[])`.execute(server.app.db);
    expect((await send(other.path, answers)).statusCode).toBe(429);
    networks += 1;
    expect((await send(other.path, answers)).statusCode).toBe(200);
  });
});

describe('routing submissions', () => {
  test('a submission can be changed 50 times', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    await send(path, { ...nina, size: 'large' });
    const [before] = await submissionsOf(sales.ben, id);
    const params = { submission_id: before?.id as SubmissionId };
    const api = sales.ben.as(routingContract);
    const change = (sequence: number) =>
      api.reroute({ params, body: { sequence, action: { kind: 'message', text: `no ${sequence}` } } });
    for (let sequence = 0; sequence < 50; sequence += 1) await change(sequence);
    await expect(change(50)).rejects.toMatchObject({ status: 409, code: 'TOO_MANY' });
  });

  test('a rerouted submission voids its old link, books through the new one, and records each change', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    const link = String((await send(path, { ...nina, size: 'large' })).headers.location);
    const [before] = await submissionsOf(sales.ben, id);
    const params = { submission_id: before?.id as SubmissionId };
    const api = sales.ben.as(routingContract);
    await expect(api.reroute({ params, body: { sequence: 0, to_user_id: idOf(sales.carla) } })).rejects.toMatchObject({
      status: 409,
      code: 'NOT_BOOKED',
    });
    const { submission } = await api.reroute({
      params,
      body: { sequence: 0, action: led(sales.typeId, [sales.carla]) },
    });
    expect(submission).toMatchObject({
      sequence: 1,
      rule_id: 'big',
      hosts: [{ user_id: sales.carla.userId }],
      deeds: [{ kind: 'rerouted', from: 'Demo', to: 'Demo' }],
    });
    await expect(
      api.reroute({ params, body: { sequence: 0, action: { kind: 'message', text: 'x' } } }),
    ).rejects.toMatchObject({ status: 409, code: 'STALE' });
    expect((await visit(link)).statusCode).toBe(404);
    await book(submission.link_url ?? '');
    const [after] = await submissionsOf(sales.ben, id);
    expect(after?.booking?.hosts.map(({ user_id }) => user_id)).toEqual([sales.carla.userId]);
    await expect(
      api.reroute({ params, body: { sequence: 1, action: { kind: 'message', text: 'x' } } }),
    ).rejects.toMatchObject({ status: 409, code: 'BOOKED' });
    // bookings follow the rights of booking: an editor who is no host of it may not reassign it
    await expect(api.reroute({ params, body: { sequence: 1, to_user_id: idOf(sales.anna) } })).rejects.toMatchObject({
      status: 403,
    });
    const given = await sales.anna
      .as(routingContract)
      .reroute({ params, body: { sequence: 1, to_user_id: idOf(sales.anna) } });
    expect(given.submission.booking?.hosts.map(({ user_id }) => user_id)).toEqual([sales.anna.userId]);
    expect(given.submission.deeds.map(({ kind }) => kind)).toEqual(['rerouted', 'reassigned']);
  });

  test('routing submissions need permission to see bookings, and forms are visible to the team only', async () => {
    const sales = await newTeam();
    const { id } = await newForm(sales);
    const viewer = sales.carla.as(routingContract);
    const { forms } = await viewer.listForms();
    expect(forms).toEqual([expect.objectContaining({ id, may_change: false, may_see_answers: false })]);
    expect((await viewer.readForm({ params: { id } })).definition.rules).toHaveLength(2);
    for (const refused of [
      () => viewer.listSubmissions({ params: { id } }),
      () => viewer.switchForm({ params: { id }, body: { active: false } }),
      () => viewer.deleteForm({ params: { id } }),
      () => viewer.testForm({ body: { form_id: id, answers: {} } }),
    ])
      await expect(refused()).rejects.toMatchObject({ status: 403 });
    const other = await newTeam();
    await expect(other.anna.as(routingContract).readForm({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(submissionsOf(other.anna, id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('routing forms', () => {
  test('the list of forms reads no definitions', async () => {
    const sales = await newTeam();
    const { id } = await newForm(sales);
    const rows: string[] = [];
    const db = server.app.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rows.push(...result.rows.map((row) => JSON.stringify(row)));
        return result;
      },
    });
    const { forms } = await listForms({ db, clock: server.app.clock, config: server.app.config }, sales.anna);
    expect(forms).toMatchObject([{ id, rules: 2 }]);
    expect(rows.some((row) => row.includes(id))).toBe(true);
    expect(rows.filter((row) => row.includes('questions'))).toEqual([]);
  });

  test('an invalid routing form is refused with an error at the rule, option or target', async () => {
    const sales = await newTeam();
    const api = sales.anna.as(routingContract);
    const definition = definitionOf(sales);
    const [big, rest] = definition.rules;
    const size = definition.questions.find(({ id }) => id === 'size');
    const other = await newTeam();
    const tried = (more: Partial<Definition>) =>
      api.createForm({ body: { team_id: sales.teamId, name: 'Help', definition: { ...definition, ...more } } });
    const cases: [Partial<Definition>, string][] = [
      [{ rules: [big, { ...big, id: 'again' }, rest] as never }, 'definition.rules.1'],
      [
        {
          questions: definition.questions.map((one) =>
            one.id === 'size' ? { ...size, options: [...(size?.options ?? []), { id: 'new', label: 'New' }] } : one,
          ) as never,
        },
        'definition.questions.3.options.3',
      ],
      [
        { questions: definition.questions.filter(({ id }) => id !== 'size') },
        'definition.rules.0.conditions.0.question',
      ],
      [{ fallback: led(other.typeId) }, 'definition.fallback.event_type_id'],
      [{ fallback: led(sales.typeId, [other.ben]) }, 'definition.fallback.user_ids'],
      [{ type: 'round-robin' }, 'definition.rules'],
    ];
    for (const [more, field] of cases)
      await expect(tried(more)).rejects.toMatchObject({ code: 'INVALID', fields: { [field]: expect.any(String) } });
    const answer = await server.inject({
      method: 'POST',
      url: '/api/routing/forms',
      headers: { authorization: `Bearer ${sales.anna.token}` },
      payload: { name: 'Help', definition: { ...definition, fallback: { kind: 'url', url: 'javascript:alert(1)' } } },
    });
    expect([answer.statusCode, answer.json().detail.fields]).toEqual([
      400,
      { 'definition.fallback.url': 'Expected an address that begins with https:// or http://' },
    ]);
  });

  test('texts of a routing form lose signs that turn or hide text, and a label that nobody sees is refused', async () => {
    const sales = await newTeam();
    const { id, form } = await newForm(sales);
    const api = sales.ben.as(routingContract);
    const definition = definitionOf(sales);
    const [first, ...rest] = definition.questions;
    const change = (label: string) => {
      const asked = {
        ...definition,
        title: 'T\u202eitle',
        intro: 'In\u2066tro',
        questions: [{ ...first, label }, ...rest],
      };
      const body = { revision: 1, name: 'Help\u{e0041}', description: 'D \u202edesc', slug: form.slug };
      return api.changeForm({ params: { id }, body: { ...body, definition: asked as typeof definition } });
    };
    await expect(change('\u115f\u1160')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { 'definition.questions.0.label': 'Enter at least one visible character.' },
    });
    const changed = await change('Your \u202ename');
    expect(changed.form).toMatchObject({ name: 'Help', description: 'D desc' });
    expect(changed.definition).toMatchObject({ title: 'Title', intro: 'Intro' });
    expect(changed.definition.questions[0]?.label).toBe('Your name');
  });

  test('a stale routing form change and a duplicate slug are refused', async () => {
    const sales = await newTeam();
    const { id, form } = await newForm(sales);
    const api = sales.ben.as(routingContract);
    const body = { revision: 1, name: 'Other', description: 'x', slug: form.slug, definition: definitionOf(sales) };
    expect((await api.changeForm({ params: { id }, body })).form).toMatchObject({ revision: 2, name: 'Other' });
    await expect(api.changeForm({ params: { id }, body })).rejects.toMatchObject({ status: 409, code: 'STALE' });
    await expect(newForm(sales, {}, form.slug)).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    const second = await newForm(sales);
    await expect(api.changeForm({ params: { id: second.id }, body: { ...body, revision: 1 } })).rejects.toMatchObject({
      code: 'SLUG_TAKEN',
    });
  });

  test('a test of a routing form shows its decision and the next hosts without storing a submission', async () => {
    const sales = await newTeam();
    const { id } = await newForm(sales);
    const api = sales.anna.as(routingContract);
    const answers = { ...nina, size: 'small' };
    await sql`insert into contacts.owners (team_id, address, user_id)
      values (${sales.teamId}, 'nina@example.net', ${sales.carla.userId})`.execute(server.app.db);
    const { decision } = await api.testForm({ body: { form_id: id, answers } });
    expect(decision).toMatchObject({ rule_id: 'rest', trouble: null, reasons: [{ fits: false }, { fits: true }] });
    expect(decision?.next.map(({ assigned, share, owner }) => [assigned, share, owner])).toEqual([
      [0, 0, false],
      [0, 0, false],
      [0, 0, false],
    ]);
    const owned = definitionOf(sales, { rules: [], fallback: led(sales.typeId, null, true) });
    const draft = await api.testForm({ body: { team_id: sales.teamId, definition: owned, answers } });
    expect(draft.decision?.next[0]).toMatchObject({ user_id: sales.carla.userId, owner: true });
    const wrong = await api.testForm({ body: { form_id: id, answers: { name: 'Nina', email: 'x', size: 'y', z: 1 } } });
    expect(wrong).toEqual({ wrong: { email: 'email', size: 'option', z: 'unknown' }, decision: null });
    const strange = definitionOf(sales, { rules: [], fallback: led((await newTeam()).typeId) });
    const refused = await api.testForm({ body: { team_id: sales.teamId, definition: strange, answers } });
    expect(refused.decision).toMatchObject({ trouble: 'type-gone', next: [] });
    expect(await submissionsOf(sales.anna, id)).toEqual([]);
  });

  test('a routing form with contact owner first books the owner of the contact', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales, { rules: [], fallback: led(sales.typeId, null, true) });
    await sql`insert into contacts.owners (team_id, address, user_id)
      values (${sales.teamId}, 'nina@example.net', ${sales.carla.userId})`.execute(server.app.db);
    for (let n = 0; n < 2; n += 1) {
      const link = String((await send(path, { ...nina, size: 'small' })).headers.location);
      await book(link, nine + 60 * n, 'nina@example.net');
    }
    const kept = await submissionsOf(sales.anna, id);
    expect(kept.map(({ booking }) => booking?.hosts[0]?.user_id)).toEqual([sales.carla.userId, sales.carla.userId]);
  });

  test('a personal routing form is served under the handle of its owner', async () => {
    const user = await signUpUser(server, `solo-${randomUUID()}@example.org`);
    await user.as(bookingContract).changeHandle({ body: { handle: `solo-${networks}x` } });
    const definition = { ...definitionOf(await newTeam()), rules: [] };
    const { form } = await user.as(routingContract).createForm({ body: { name: 'Über uns', definition } });
    expect(form.url).toMatch(/\/forms\/uber-uns$/);
    expect((await visit(new URL(form.url ?? '').pathname)).statusCode).toBe(200);
  });
});

describe('routing by language, time zone, day and contact', () => {
  const told = (text: string) => ({ kind: 'message' as const, text });
  const ruleOf = (id: string, ...conditions: Definition['rules'][number]['conditions']) => ({
    id,
    match: 'all' as const,
    conditions,
    action: told(id),
  });
  const knowing = (sales: Sales): Partial<Definition> => ({
    rules: [
      ruleOf(
        'bens-vip',
        { fact: 'contact', op: 'owner', values: [idOf(sales.ben)] },
        { fact: 'contact', op: 'tag', values: ['VIP'] },
      ),
      ruleOf('known', { fact: 'contact', op: 'owner-not', values: ['nobody'] }),
      ruleOf(
        'german',
        { fact: 'language', op: 'speaks', values: ['de'] },
        { fact: 'zone', op: 'in-zone', values: ['Europe'] },
      ),
      ruleOf('asia', { fact: 'zone', op: 'in-zone', values: ['Asia/Kolkata'] }),
      ruleOf('sunday', { fact: 'day', op: 'weekday', values: ['7'] }),
    ],
  });
  /** Ben knows Nina, with two tags, and looks after her. */
  async function lookAfter(sales: Sales): Promise<void> {
    const contacts = sales.ben.as(contactsContract);
    const { id } = await contacts.addContact({
      body: { address: 'nina@example.net', name: 'Nina', tags: ['vip', 'met at the fair'] },
    });
    await contacts.nameOwner({ params: { id, team_id: sales.teamId }, body: { user_id: sales.ben.userId } });
  }

  test('routing rules on language, time zone and contact decide, and submissions keep reasons and used facts only', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales, knowing(sales));
    const answers = { ...nina, size: 'small' };
    await send(path, answers, undefined, 'de-AT,de;q=0.9');
    await send(path, { ...answers, 'own.tz': 'Europe/Vienna' }, undefined, 'de-AT,de;q=0.9');
    await send(path, { ...answers, 'own.tz': 'Asia/Calcutta' });
    await lookAfter(sales);
    await send(path, { ...answers, email: 'NINA@example.net' });
    const kept = (await submissionsOf(sales.anna, id)).toReversed();
    expect(kept.map(({ rule_id: rule }) => rule)).toEqual([null, 'german', 'asia', 'bens-vip']);
    const day = '2027-03-01';
    expect(kept.map(({ known }) => known)).toEqual([
      { language: 'de', zone: null, day, contact: { owner: null, tags: [] } },
      { language: 'de', zone: 'Europe/Vienna', day, contact: { owner: null, tags: [] } },
      { language: 'en', zone: expect.stringMatching(/^Asia/), day, contact: { owner: null, tags: [] } },
      // facts that no rule asks for are not kept
      { language: 'en', zone: null, day, contact: { owner: expect.stringMatching(/^ben/i), tags: ['vip'] } },
    ]);
    expect(kept[1]?.reasons.map(({ conditions, held }) => [conditions, held]).at(-1)).toEqual([
      ['The language of the browser is German', 'The time zone is Europe'],
      [true, true],
    ]);
    expect(kept[3]?.reasons[0]?.conditions).toEqual([
      expect.stringMatching(/^The contact is looked after by ben/i),
      'The contact has the tag VIP',
    ]);
  });

  test('a routing form asks for the time zone with a hashed script only where a rule needs it', async () => {
    const sales = await newTeam();
    const asking = await visit((await newForm(sales, knowing(sales))).path);
    expect(asking.body).toContain('<input type="hidden" name="own.tz" value=""/>');
    expect(asking.body).toMatch(/<script data-field="own\.tz">[^<]*timeZone[^<]*<\/script>/);
    const plain = await visit((await newForm(sales)).path);
    expect(plain.body).not.toContain('own.tz');
    // the other script keeps what was typed where there is no network
    const hashesOf = ({ headers }: typeof plain) =>
      /;script-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1]?.split(' ') ?? [];
    expect(hashesOf(plain)).toEqual([expect.stringMatching(/^'sha256-[^']+'$/)]);
    expect(hashesOf(asking)).toEqual([expect.stringMatching(/^'sha256-[^']+'$/), ...hashesOf(plain)]);
  });

  test('a routing rule cannot name a contact owner outside the team', async () => {
    const [sales, other] = [await newTeam(), await newTeam()];
    const rule = ruleOf('theirs', { fact: 'contact', op: 'owner', values: [idOf(other.ben), 'nobody'] });
    await expect(newForm(sales, { rules: [rule] })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { 'definition.rules.0.conditions.0.values': expect.any(String) },
    });
  });

  test('a test of a routing form accepts facts set by hand', async () => {
    const sales = await newTeam();
    const { id } = await newForm(sales, knowing(sales));
    const api = sales.anna.as(routingContract);
    const tried = async (facts: object) => {
      const known = { language: null, zone: null, day: null, contact: null, ...facts };
      return (await api.testForm({ body: { form_id: id, answers: { ...nina, size: 'small' }, facts: known } })).decision
        ?.rule_id;
    };
    expect(await tried({})).toBe('known');
    expect(await tried({ contact: { owner: null, tags: [] } })).toBe(null);
    expect(await tried({ contact: { owner: idOf(sales.ben), tags: ['vip'] } })).toBe('bens-vip');
    const stranger = { contact: { owner: null, tags: [] } };
    expect(await tried({ ...stranger, day: '2027-03-28' })).toBe('sunday');
    expect(await tried({ ...stranger, day: '2027-03-29' })).toBe(null);
  });

  test('a deleted account disappears from routing submissions and rules as a contact owner', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales, knowing(sales));
    await lookAfter(sales);
    await send(path, { ...nina, size: 'small' });
    const traces = async () =>
      findInDump(await dumpDatabase(server.app.db), sales.ben.userId).filter((row) => row.startsWith('routing'));
    expect((await traces()).length).toBeGreaterThan(1);
    await sales.ben.as(accountsContract).deleteAccount({ body: { email: sales.ben.email } });
    await expect.poll(traces, { timeout: 60_000 }).toEqual([]);
    const { definition } = await sales.anna.as(routingContract).readForm({ params: { id } });
    expect(definition.rules[0]?.conditions[0]).toMatchObject({ values: ['gone'] });
    const [kept] = await submissionsOf(sales.anna, id);
    expect(kept?.known.contact).toEqual({ owner: 'a deleted member', tags: ['vip'] });
    expect(kept?.reasons[0]?.conditions[0]).toBe('The contact is looked after by a deleted member');
  }, 90_000);
});

describe('departed team members in routing', () => {
  test('a removed team member leaves routing rules, and a rule left without hosts uses everybody', async () => {
    const sales = await newTeam();
    const { id, path } = await newForm(sales);
    const both = definitionOf(sales);
    const [big, rest] = both.rules as [(typeof both.rules)[0], (typeof both.rules)[0]];
    const rules = [big, { ...rest, action: led(sales.typeId, [sales.ben, sales.carla]) }];
    const slug = path.split('/').at(-1) ?? '';
    const api = sales.anna.as(routingContract);
    const body = { revision: 1, name: 'Help', description: '', slug, definition: { ...both, rules } };
    await api.changeForm({ params: { id }, body });
    const params = { teamId: sales.teamId, userId: idOf(sales.ben) };
    await sales.anna.as(teamsContract).removeMember({ params });
    await server.settle();
    const { form, definition } = await api.readForm({ params: { id } });
    expect(form.revision).toBe(3);
    expect(definition.rules.map(({ action }) => action)).toEqual([led(sales.typeId), led(sales.typeId, [sales.carla])]);
  });

  test('a deleted account leaves no trace in routing decisions and loses its own forms', async () => {
    const sales = await newTeam();
    const { path } = await newForm(sales);
    await book(String((await send(path, { ...nina, size: 'large' })).headers.location));
    await book(String((await send(path, { ...nina, size: 'small' })).headers.location));
    await send(path, { ...nina, size: 'large' });
    const own = { ...definitionOf(sales), rules: [] };
    await sales.ben.as(routingContract).createForm({ body: { name: 'Mine', definition: own } });
    const traces = async () =>
      findInDump(await dumpDatabase(server.app.db), sales.ben.userId).filter((row) =>
        /^(?:routing|booking\.(?:links|appointments))/.test(row),
      );
    expect((await traces()).length).toBeGreaterThan(4);
    await sales.ben.as(accountsContract).deleteAccount({ body: { email: sales.ben.email } });
    await expect.poll(traces, { timeout: 60_000 }).toEqual([]);
  }, 90_000);
});

test('a fairness report adds up and explains why hosts were skipped', async () => {
  const sales = await newTeam();
  const { path } = await newForm(sales);
  // Ben gets two of his own pool, then one comes for whoever is next
  for (const [n, size] of ['large', 'large', 'small'].entries())
    await book(String((await send(path, { ...nina, size })).headers.location), nine + 60 * n);
  const api = sales.carla.as(routingContract);
  const query = { event_type_id: sales.typeId, from: Date.UTC(2027, 1, 1), to: Date.UTC(2027, 3, 1) };
  const report = await api.readFairness({ query });
  const of = (user: TestUser) => report.hosts.find(({ user_id: id }) => id === user.userId);
  expect(report.total).toBe(3);
  expect(of(sales.ben)).toMatchObject({ got: 2, expected: 1, deficit: -1, here: true });
  expect(report.hosts.reduce((sum, { got }) => sum + got, 0)).toBe(report.total);
  expect(report.hosts.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(report.total);
  expect(report.hosts.reduce((sum, { deficit }) => sum + deficit, 0)).toBeCloseTo(0);
  // the third was somebody else's turn
  expect(of(sales.ben)?.skips).toEqual([{ reason: 'later', times: 1 }]);
  for (const { got, skips } of report.hosts)
    expect(skips.reduce((sum, { times }) => sum + times, got)).toBe(report.total);
  await expect((await newTeam()).anna.as(routingContract).readFairness({ query })).rejects.toMatchObject({
    status: 404,
  });
  await expect(api.readFairness({ query: { ...query, to: query.from } })).rejects.toMatchObject({ code: 'RANGE' });
});

test('a routing form of more than 128 KB is refused before it is validated', async () => {
  const { anna, typeId } = await newTeam();
  for (const [method, url] of [
    ['POST', '/api/routing/forms'],
    ['PUT', `/api/routing/forms/${typeId}`],
    ['POST', '/api/routing/test'],
  ] as const) {
    const headers = { authorization: `Bearer ${anna.token}` };
    const payload = { definition: { intro: 'x'.repeat(129 * 1024) } };
    expect((await server.inject({ method, url, headers, payload })).statusCode, url).toBe(413);
  }
});
