import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser } from '../../../../test/harness/test-client.ts';
import { routingContract } from '../../routing/contract.ts';
import { startDefinition } from '../../routing/rules/form-definition.ts';
import { bookingContract } from '../contract.ts';

/** Addresses that people keep: in mails, on cards, in the links of other sites. */

let server: TestApp;
let rename: (slug: string) => Promise<unknown>;
let renameForm: (slug: string) => Promise<unknown>;
let create: (title: string) => Promise<unknown>;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', http: { pageRoot: await builtPages() } });
  const anna = await signUpUser(server, 'anna@example.org');
  const api = anna.as(bookingContract);
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro', kind: 'one-on-one' } });
  let { version } = type;
  rename = async (slug) => {
    const { title, description, hidden, secret, settings } = type;
    await api.changeEventType({
      params: { id: type.id },
      body: { version, title, slug, description, hidden, secret, settings },
    });
    version += 1;
  };
  create = (title) => api.createEventType({ body: { title, kind: 'one-on-one' } });
  const forms = anna.as(routingContract);
  const definition = startDefinition('conditional', 'Contact us', { kind: 'message', text: 'Thank you.' });
  const { form } = await forms.createForm({ body: { name: 'Contact us', definition } });
  let { revision } = form;
  renameForm = async (slug) => {
    const { name, description } = form;
    await forms.changeForm({ params: { id: form.id }, body: { revision, name, description, slug, definition } });
    revision += 1;
  };
});
afterAll(() => server.close());

/** Where an address leads, in steps; the last of them is the status of what is there. */
async function follow(url: string): Promise<(string | number)[]> {
  const answer = await server.inject({ url, headers: { accept: 'text/html' } });
  const { location } = answer.headers;
  return location === undefined ? [answer.statusCode] : [location, ...(await follow(location))];
}

test('a former name of an event type leads to it, until another one has the name', async () => {
  await rename('first-talk');
  expect(await follow('/anna-lee/intro?tz=UTC')).toEqual(['/anna-lee/first-talk?tz=UTC', 200]);
  await rename('talk');
  expect(await follow('/anna-lee/intro')).toEqual(['/anna-lee/talk', 200]);
  expect(await follow('/anna-lee/first-talk')).toEqual(['/anna-lee/talk', 200]);
  // calls of a page that was open meanwhile
  expect((await server.inject({ url: '/api/book/anna-lee/intro/slots?from=30000000&to=30001440' })).statusCode).toBe(
    200,
  );
  await create('Intro');
  expect(await follow('/anna-lee/intro')).toEqual([200]);
  // and back: a name in use is no former one
  await rename('first-talk');
  expect(await follow('/anna-lee/talk')).toEqual(['/anna-lee/first-talk', 200]);
});

test('a former name of a form leads to it', async () => {
  await renameForm('say-hello');
  expect(await follow('/anna-lee/forms/contact-us?name=Bo')).toEqual(['/anna-lee/forms/say-hello?name=Bo', 200]);
});

test.each([
  ['/anna-lee/', '/anna-lee'],
  ['/Anna-Lee/', '/Anna-Lee'],
  ['//anna-lee', '/anna-lee'],
  ['/anna-lee/first-talk/', '/anna-lee/first-talk'],
  ['/anna-lee/first-talk/?tz=UTC', '/anna-lee/first-talk?tz=UTC'],
  ['/anna-lee//first-talk', '/anna-lee/first-talk'],
  ['/anna-lee/first-talk.', '/anna-lee/first-talk'],
  ['/anna-lee/first-talk),', '/anna-lee/first-talk'],
  ['/anna-lee/forms/say-hello/', '/anna-lee/forms/say-hello'],
])('an address with something too many leads on: %s', async (written, plain) => {
  const steps = await follow(written);
  expect([steps[0], steps.at(-1)]).toEqual([plain, 200]);
});

test('no address leads to another site', async () => {
  for (const url of ['//evil.example/', '///evil.example/', '//evil.example', '/\\evil.example/'])
    for (const step of await follow(url)) expect(String(step), url).not.toMatch(/^(?:\/[\\/]|https?:)/);
});
