import { expect, it } from 'vitest';
import { WorkBudget } from '#kernel/work-budget.ts';
import type { PullEnd } from '../port.ts';
import type { CaldavHttpRequest } from './http.ts';
import { caldavProfiles } from './profiles.ts';
import { openCaldav } from './provider.ts';

/** Tokens of a server are stored and sent again, so each has a bound. */

const response = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const object =
  'BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a\nDTSTART:20270101T000000Z\nEND:VEVENT\nEND:VCALENDAR\n';

interface Server {
  token?: string;
  ctag?: string;
  etag?: string;
  names?: string[];
  /** Each answer tells that there is more. */
  isEndless?: boolean;
}

function open({ token = 't1', ctag = 'c1', etag = '"1"', names = ['a.ics'], isEndless = false }: Server) {
  let answers = 0;
  const sent: string[] = [];
  const calendar = `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:sync-token>${token}</d:sync-token><cs:getctag>${ctag}</cs:getctag>`;
  const members = (more = '') =>
    names.map((name) => response(`/work/${name}`, `<d:getetag>${etag}</d:getetag>${more}`)).join('');
  const insideOf = (body: string, depth: string | undefined) => {
    if (body.includes('sync-collection')) {
      answers += 1;
      const more = isEndless
        ? '<d:response><d:href>/work/</d:href><d:status>HTTP/1.1 507 More</d:status></d:response>'
        : '';
      return `${members()}${more}<d:sync-token>${token}${isEndless ? answers : ''}</d:sync-token>`;
    }
    if (body.includes('calendar-multiget')) return members(`<c:calendar-data>${object}</c:calendar-data>`);
    return response('/work/', calendar) + (depth === '1' ? members() : '');
  };
  const http = ({ body = '', headers }: CaldavHttpRequest) => {
    sent.push(body);
    const inside = insideOf(body, headers.depth);
    return Promise.resolve({
      status: 207,
      headers: {},
      body: `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${inside}</d:multistatus>`,
    });
  };
  const common = { username: 'alice', password: 'secret', profile: caldavProfiles.generic, http };
  const provider = openCaldav({
    ...common,
    baseUrl: 'https://cal.example/',
    selfAddresses: [],
    tags: { verify: () => false },
  });
  const pull = async (cursor: string | null, budget?: WorkBudget) => {
    const items: { ref: string; version: string }[] = [];
    const pages = provider.pull({
      calendarRef: '/work/',
      cursor,
      full: false,
      known: () => Promise.resolve(new Map()),
      signal: AbortSignal.timeout(30_000),
      ...(budget && { budget }),
    });
    for (;;) {
      const step = await pages.next();
      if (step.done === true) return { items, end: step.value satisfies PullEnd };
      items.push(...step.value.items.map(({ ref, version }) => ({ ref, version })));
    }
  };
  return { pull, sent };
}

const long = 'x'.repeat(100_000);

it('a sync token and a ctag that are too long are not kept, and the calendar is listed each time', async () => {
  const { pull } = open({ token: long, ctag: long });
  for (const cursor of [null, `t:${long}`]) {
    const { items, end } = await pull(cursor);
    expect(items).toEqual([{ ref: '/work/a.ics', version: '"1"' }]);
    expect(end).toMatchObject({ cursor: null, listed: new Set(['/work/a.ics']) });
  }
});

it('a stored cursor that is too long is not sent again', async () => {
  const { pull, sent } = open({});
  expect((await pull(`t:${long}`)).end.cursor).toBe('t:t1');
  expect(Math.max(...sent.map((body) => body.length))).toBeLessThan(5_000);
});

it('an object with an ETag that is too long has no version', async () => {
  const { pull } = open({ etag: `"${long}"` });
  expect((await pull(null)).items).toEqual([{ ref: '/work/a.ics', version: '' }]);
});

it('an object with a name that is too long is left out', async () => {
  const { pull } = open({ names: ['a.ics', `${'b'.repeat(3_000)}.ics`, `${'日'.repeat(900)}.ics`, `${long}.ics`] });
  expect((await pull(null)).items).toEqual([{ ref: '/work/a.ics', version: '"1"' }]);
});

it('all answers of a reading count against its budget', async () => {
  const { pull, sent } = open({ isEndless: true, names: Array.from({ length: 100 }, (_, n) => `e${n}.ics`) });
  const budget = new WorkBudget({ bytes: 100_000, steps: 1_000, instances: 1_000, milliseconds: 20_000 });
  await expect(pull('t:1', budget)).rejects.toMatchObject({ name: 'WorkLimitError', limit: 'bytes' });
  expect(sent.length).toBeLessThan(20);
});
