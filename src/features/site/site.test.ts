import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtApp } from '../../../test/harness/built-app.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { solvePage, useUp } from '../../../test/harness/under-load.ts';
import { solutionField } from '../../kernel/solve-challenge.ts';
import { listSubscribers } from './public.ts';
import { busySubscribing } from './rules.ts';
import { deleteWaiting } from './store.ts';

let server: TestApp;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
  server = await startTestApp({
    http: { pageRoot: await builtPages(), webRoot: builtApp },
    config: {
      dataDir,
      operator: {
        name: 'Example <Ltd>',
        contact: 'help@example.org',
        blog: undefined,
        analyticsScript: 'https://count.example.org/script.js',
      },
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { accept: 'text/html', ...headers } });
const post = (url: string, form: Record<string, string> = {}) =>
  server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

describe('landing page', () => {
  test('the landing page is shown at / to visitors only and at /home to everybody', async () => {
    for (const url of ['/', '/home']) expect((await get(url)).body).toContain('One Booking. Synced Everywhere.');
    const { token } = await signUpUser(server, 'somebody@example.org');
    expect((await get('/', { cookie: `holdfast=${token}` })).body).not.toContain('See How It Works');
    expect((await get('/?token=x&provider=google')).body).not.toContain('See How It Works');
    expect((await get('/home', { cookie: `holdfast=${token}` })).body).toContain('See How It Works');
  });

  test('support and contact lead to the address of the operator', async () => {
    const { body } = await get('/');
    expect(body.match(/href="mailto:help@example\.org"/g)).toHaveLength(2);
    expect(body).toContain('href="#contact"');
  });

  test('without an address of the operator nothing is called support or contact', async () => {
    const { config } = server.app;
    const { operator } = config;
    try {
      Object.assign(config, { operator: { ...operator, contact: undefined } });
      for (const url of ['/', '/privacy']) {
        const { body } = await get(url);
        expect(body, url).not.toContain('#contact"');
        expect(body, url).not.toContain('mailto:');
        expect(body, url).not.toMatch(/href="\/help"/);
        expect(body, url).not.toContain('>Support<');
      }
    } finally {
      Object.assign(config, { operator });
    }
  });

  test("the landing page runs only its own and the operator's script, and has no inline styles", async () => {
    const { body, headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' https://count.example.org;");
    expect(policy).toContain("connect-src 'self' https://count.example.org;");
    expect(policy).not.toContain('unsafe');
    expect(body).not.toMatch(/ style="| on\w+="/);
    expect([...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/pages\/site-[\w-]+\.js">$/),
      '<script defer src="https://count.example.org/script.js">',
    ]);
  });

  test('the landing page names the operator, and claims only what the operator wrote', async () => {
    expect((await get('/')).body).toContain('Run by Example &lt;Ltd&gt;');
    expect((await get('/')).body).not.toMatch(/professionals|hours saved|no credit card/i);
    await mkdir(join(dataDir, 'site'));
    await writeFile(join(dataDir, 'site/claim.md'), 'Trusted by 12 clubs\n');
    expect((await get('/')).body).toContain('Trusted by 12 clubs');
  });

  test('the landing page draws an example week in which each event is blocked in the other calendars', async () => {
    const { body } = await get('/');
    for (const id of ['booking', 'mirror-1', 'mirror-2']) expect(body).toContain(`data-event="${id}"`);
    const events = body.match(/data-event="drawn-/g) ?? [];
    expect(events.length).toBeGreaterThan(5);
    // one stripe for the two blocks of an event
    expect(body.match(/data-rail="true"/g)).toHaveLength(events.length);
    expect(body).toContain('Illustration');
  });

  test('the landing page is indexable, robots.txt excludes private paths, and every sitemap URL works', async () => {
    const { body } = await get('/home');
    expect(body).toContain('<link rel="canonical" href="http://localhost/">');
    expect(body).toContain('<meta property="og:title"');
    const robots = (await server.inject({ url: '/robots.txt' })).body;
    for (const place of ['/api/', '/booked/', '/l/', '/admin']) expect(robots).toContain(`Disallow: ${place}\n`);
    expect(robots).toContain('Sitemap: http://localhost/sitemap.xml');
    const places = [...(await server.inject({ url: '/sitemap.xml' })).body.matchAll(/<loc>([^<]+)/g)];
    expect(places.length).toBeGreaterThan(8);
    for (const [, url = ''] of places) expect((await get(new URL(url).pathname)).statusCode, url).toBe(200);
  });

  test('the public pages have no broken internal links', async () => {
    const pages = ['/home', '/docs', '/docs/mirrors', '/privacy'];
    const links = new Set<string>();
    for (const page of pages) {
      for (const [, to = ''] of (await get(page)).body.matchAll(/href="(\/[^"#]*)/g)) links.add(to);
    }
    expect(links.size).toBeGreaterThan(12);
    // a screen of the app answers with its document, which the tests do not build
    for (const link of links) expect((await get(link)).statusCode, link).toBe(200);
  });
});

describe('legal texts', () => {
  test('the privacy text describes the software until the operator replaces it', async () => {
    const before = (await get('/privacy')).body;
    expect(before).toContain('published their own text yet');
    expect(before).toContain('__Host-holdfast');
    await writeFile(
      join(dataDir, 'site/privacy.md'),
      '# Our privacy\n\nWe <script>keep</script> [little](https://example.org).',
    );
    const after = (await get('/privacy')).body;
    expect(after).not.toContain('has not published');
    expect(after).toContain('We &lt;script&gt;keep&lt;/script&gt; <a href="https://example.org">little</a>.');
  });
});

describe('newsletter', () => {
  const linksOf = async (email: string) =>
    (await readMails(server, email)).flatMap(({ links }) => links.map((link) => new URL(link).pathname));

  test('a newsletter subscription starts once its link is confirmed and ends on unsubscribe', async () => {
    const asked = await post('/subscribe', { email: ' Ann@Example.org ' });
    expect(asked.statusCode).toBe(200);
    await server.settle();
    const [link = ''] = await linksOf('ann@example.org');
    expect(await listSubscribers(server.app.db, 'https://x.example')).toHaveLength(1);
    // opened only: a scanner of mails has done no harm
    expect((await get(link)).body).toContain('ann@example.org');
    expect(await listSubscribers(server.app.db, 'https://x.example')).toHaveLength(1);
    expect((await post(link)).body).toContain('You are subscribed');
    expect((await post(link)).statusCode).toBe(404);
    const [, row = ''] = await listSubscribers(server.app.db, 'https://x.example');
    expect(row).toMatch(/^ann@example\.org,\d{4}-.*,https:\/\/x\.example\/unsubscribe\/[\w-]{36}\r\n$/);
    const end = /\/unsubscribe\/[\w-]{36}/.exec(row)?.[0] ?? '';
    expect((await get(end)).body).toContain('Unsubscribe from the newsletter?');
    expect((await post(end)).body).toContain('was removed from the list');
    expect(await listSubscribers(server.app.db, 'https://x.example')).toHaveLength(1);
    expect((await post(end)).statusCode).toBe(200);
  });

  test('a repeated newsletter subscription gets the same response and no second mail', async () => {
    const first = await post('/subscribe', { email: 'ben@example.org' });
    await server.settle();
    await post((await linksOf('ben@example.org'))[0] ?? '');
    const again = await post('/subscribe', { email: 'ben@example.org' });
    await server.settle();
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
    expect(await linksOf('ben@example.org')).toHaveLength(1);
  });

  test('newsletter requests are limited per address and per network', async () => {
    for (let n = 0; n < 5; n += 1) await post('/subscribe', { email: 'flooded@example.org' });
    await server.settle();
    expect((await linksOf('flooded@example.org')).length).toBeLessThanOrEqual(3);
    const answers: number[] = [];
    for (let n = 0; n < 20; n += 1)
      answers.push((await post('/subscribe', { email: `many${n}@example.org` })).statusCode);
    expect(answers).toContain(429);
    await server.settle();
  });

  test('under load a newsletter request is accepted with a solved challenge, and seldom without script', async () => {
    const ask = (email: string, solution?: string) =>
      server.inject({
        method: 'POST',
        url: '/subscribe',
        remoteAddress: '198.51.100.9',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          email,
          ...(solution === undefined ? {} : { [solutionField]: solution }),
        }).toString(),
      });
    await useUp(server, busySubscribing, 'quiet');
    const asked = await ask('busy@example.org');
    expect(asked.statusCode).toBe(409);
    expect(asked.body).toContain('Your browser is running a short check');
    expect(asked.body).toContain('<input type="hidden" name="email" value="busy@example.org"/>');
    const solution = await solvePage(asked.body);
    expect((await ask('busy@example.org', solution)).body).toContain('Check your email');
    expect((await ask('other@example.org', solution)).statusCode).toBe(409);
    expect((await ask('plain@example.org', '')).body).toContain('Check your email');
    await useUp(server, busySubscribing, 'plain');
    const refused = await ask('late@example.org', '');
    expect(refused.statusCode).toBe(429);
    expect(refused.body).toContain('Turn on JavaScript, or try again in an hour.');
    await server.settle();
    expect(await linksOf('busy@example.org')).toHaveLength(1);
    for (const email of ['other@example.org', 'late@example.org']) expect(await linksOf(email)).toEqual([]);
  });

  test('an invalid newsletter address is refused, and an unconfirmed one is deleted', async () => {
    expect((await post('/subscribe', { email: 'no address' })).statusCode).toBe(422);
    const { db } = server.app;
    await sql`update site.subscribers set asked_at = now() - interval '4 days' where email = 'flooded@example.org'`.execute(
      db,
    );
    await deleteWaiting(db, 3);
    const { rows } = await sql`select from site.subscribers where email = 'flooded@example.org'`.execute(db);
    expect(rows).toEqual([]);
  });
});
