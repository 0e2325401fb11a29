import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#kernel/ids.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import { bookingContract } from '../contract.ts';
import { listOffered } from '../store/event-type-rows.ts';

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', http: { pageRoot: await builtPages() } });
  anna = await signUpUser(server, 'anna@example.org');
  const api = anna.as(bookingContract);
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  await api.createEventType({ body: { title: 'Quick <chat>', kind: 'one-on-one' } });
  const hidden = await api.createEventType({ body: { title: 'Hidden one', kind: 'one-on-one' } });
  await api.switchEventType({ params: { id: hidden.event_type.id }, body: { hidden: true } });
});
afterAll(() => server.close());

const visit = (url: string, accept = 'text/html') => server.inject({ url, headers: { accept } });

test('a profile lists the event types of its person, and no hidden ones', async () => {
  const { statusCode, body } = await visit('/anna-lee');
  expect(statusCode).toBe(200);
  expect(body).toContain('Quick &lt;chat&gt;');
  expect(body).toContain('href="/anna-lee/quick-chat"');
  expect(body).not.toContain('Hidden one');
  // nothing of it needs a script
  expect(body).not.toContain('<script');
});

test('a profile names the terms of each event type', async () => {
  const { event_type: type } = await anna
    .as(bookingContract)
    .createEventType({ body: { title: 'Lesson', kind: 'one-on-one' } });
  const terms = { confirmation: true, recurring: { max: 5, every: 'week' } };
  await sql`update booking.event_types set settings = settings || ${JSON.stringify(terms)}::jsonb
    where id = ${type.id}`.execute(server.app.db);
  const { body } = await visit('/anna-lee');
  expect(body).toContain('Needs confirmation');
  expect(body).toContain('Once or every week, up to 5 dates');
  await anna.as(bookingContract).deleteEventType({ params: { id: type.id } });
});

test('a profile is read without the questions of its event types, and lists none of another owner', async () => {
  const { event_type: type } = await anna
    .as(bookingContract)
    .createEventType({ body: { title: 'Long form', kind: 'one-on-one' } });
  const questions = [{ id: 'topic', label: 'Topic', kind: 'text', required: true }];
  await sql`update booking.event_types set settings = settings || ${JSON.stringify({ questions })}::jsonb
    where id = ${type.id}`.execute(server.app.db);
  const offered = await listOffered(server.app.db, { userId: anna.userId as UserId, teamId: null });
  expect(offered.map(({ title }) => title)).toEqual(['Quick <chat>', 'Long form']);
  expect(JSON.stringify(offered)).not.toContain('Topic');
  expect((await visit('/anna-lee')).body).toContain('Long form');
});

test('an event type whose questions hold more than 20,000 characters together is refused', async () => {
  const api = anna.as(bookingContract);
  const { event_type: type } = await api.createEventType({ body: { title: 'Exam', kind: 'one-on-one' } });
  const save = (options: number) => {
    const long = Array.from({ length: options }, (_, n) => `${n} ${'x'.repeat(190)}`);
    const questions = Array.from({ length: 20 }, (_, n) => ({
      id: `q${n}`,
      label: `Question ${n}`,
      kind: 'choice' as const,
      options: long,
      required: false,
    }));
    const { title, slug, settings } = type;
    const body = { version: 1, title, slug, description: '', hidden: true, secret: false, settings };
    return api.changeEventType({ params: { id: type.id }, body: { ...body, settings: { ...settings, questions } } });
  };
  await expect(save(50)).rejects.toThrow('20,000 characters together');
  expect((await save(5)).event_type.settings.questions).toHaveLength(20);
});

test('a profile redirects to its one URL', async () => {
  const { statusCode, headers } = await visit('/Anna-Lee');
  expect([statusCode, headers.location]).toEqual([303, '/anna-lee']);
});

test('an unknown handle or an unverified account returns 404, as a page or as JSON', async () => {
  const nobody = await visit('/nobody-here');
  expect(nobody.statusCode).toBe(404);
  expect(nobody.body).toContain('Page not found');
  expect((await visit('/nobody-here', 'application/json')).json()).toMatchObject({ detail: { code: 'NOT_FOUND' } });
  await sql`update accounts.users set email_verified_at = null where id = ${anna.userId}`.execute(server.app.db);
  expect((await visit('/anna-lee')).statusCode).toBe(404);
  await sql`update accounts.users set email_verified_at = now() where id = ${anna.userId}`.execute(server.app.db);
});

test('a mistyped address has the product in its title and a link home, and leaves a signed-in reader to the product', async () => {
  for (const url of [
    '/nonsense',
    '/metings',
    '/anna-lee/nothing',
    '/l/nothing',
    '/booked/nothing',
    '/nobody/forms/x',
  ]) {
    const { body, statusCode } = await visit(url);
    expect(statusCode, url).toBe(404);
    expect(body, url).toMatch(/<title>[^<]+ · Holdfast<\/title>/);
    expect(body, url).toContain('<a class="home" href="/">');
  }
  expect((await visit('/nonsense')).body).toContain('<title>Page not found · Holdfast</title>');
  for (const url of ['/nonsense', '/anna-lee/nothing']) {
    const { body } = await server.inject({ url, headers: { accept: 'text/html', cookie: `holdfast=${anna.token}` } });
    expect(body, url).not.toContain('Page not found');
  }
});

test('the start page and malformed handles are never profiles', async () => {
  for (const url of ['/', '/no_handle', '/-x', '/%20', '/a.b'])
    expect((await visit(url)).body, url).not.toContain('belongs to nobody');
});

test('a handle never shadows a path of the product, even an older handle', async () => {
  await sql`insert into booking.handles (look, handle, user_id, free_at)
    values (sha256('calendar'), 'calendar', ${anna.userId}, now() + interval '1 day')`.execute(server.app.db);
  const answer = await visit('/calendar', 'application/json');
  expect([answer.statusCode, answer.headers.location]).toEqual([404, undefined]);
  await sql`delete from booking.handles where handle = 'calendar'`.execute(server.app.db);
});

/** Programs that do not name HTML are previews of links, mail gateways and monitors. */
const asking = [{ accept: 'text/html' }, { accept: '*/*' }, {}];
const previewTags = ['title', 'description', 'image', 'image:alt', 'url', 'site_name', 'type'].map(
  (tag) => `og:${tag}`,
);

test.each(['/anna-lee', '/anna-lee/quick-chat'])(
  '%s is a page unless JSON is asked for by name, and has a preview',
  async (url) => {
    for (const headers of asking) {
      const { statusCode, headers: sent, body } = await server.inject({ url, headers });
      expect([headers, statusCode, sent['content-type']]).toEqual([headers, 200, 'text/html; charset=utf-8']);
      const found = [...body.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g)];
      const tags = new Map(found.map(([, name = '', text = '']) => [name, text]));
      expect([...tags.keys()]).toEqual(expect.arrayContaining([...previewTags, 'twitter:card']));
      expect(tags.get('og:title')).toContain('anna');
      expect(tags.get('og:description')).toContain('Book a time with anna');
      expect(tags.get('og:url')).toBe(`http://localhost${url}`);
      expect(tags.get('og:image')).toMatch(/^http:\/\/localhost\/\S+$/);
      expect(body).toContain(`<link rel="canonical" href="http://localhost${url}">`);
      if (url.endsWith('chat')) expect(tags.get('og:description')).toContain('30 min');
    }
    const named = await server.inject({ url: `${url}-nothing`, headers: { accept: 'application/json' } });
    expect(named.json()).toMatchObject({ detail: { code: 'NOT_FOUND' } });
  },
);
