import { describe, expect, it } from 'vitest';
import type { QuirkProfile, Quirks } from '#emulators/caldav/quirks.ts';
import { addCalendar, putObject, removeObject } from '#emulators/caldav/world.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { Item } from '#kernel/event.ts';
import { emulateCaldav } from '../../../test/harness/emulated-caldav.ts';
import type { PullEnd, PullPage, PullRequest } from '../port.ts';
import type { CaldavHttp, CaldavHttpRequest, CaldavHttpResponse } from './http.ts';
import { caldavProfiles } from './profiles.ts';
import { openCaldav } from './provider.ts';

/** Where a pull could be led to believe something untrue. */

type Intercept = (
  request: CaldavHttpRequest,
  next: () => Promise<CaldavHttpResponse>,
) => Promise<CaldavHttpResponse> | CaldavHttpResponse;

function begin(profile: QuirkProfile = 'faithful', overrides: Partial<Quirks> = {}) {
  const server = emulateCaldav(profile, overrides);
  const { emulator } = server;
  const alice = emulator.world.users.get('alice');
  if (alice === undefined) throw new Error('The emulator has no alice');
  const calendar = addCalendar(emulator.world, alice, 'work');
  let intercept: Intercept = (_, next) => next();
  const http: CaldavHttp = async (request) => await intercept(request, () => server.http(request));
  const provider = openCaldav({
    baseUrl: server.url,
    username: 'alice',
    password: 'secret',
    profile: caldavProfiles.generic,
    http,
    selfAddresses: [],
    tags: { verify: () => false },
    clock: () => emulator.clock.now(),
  });
  const known = new Map<string, string>();
  return {
    ...server,
    provider,
    calendar,
    known,
    intercept: (next: Intercept) => {
      intercept = next;
    },
    put: (name: string, text = event(name)) => {
      putObject(emulator.world, calendar, `${name}.ics`, name, text, emulator.clock.now());
      return `/calendars/alice/work/${name}.ics`;
    },
    remove: (name: string) => removeObject(calendar, `${name}.ics`, emulator.clock.now()),
    open: (request: Partial<PullRequest> = {}) =>
      provider.pull({
        calendarRef: '/calendars/alice/work/',
        cursor: null,
        full: false,
        known: (refs) => Promise.resolve(new Map([...known].filter(([ref]) => refs.includes(ref)))),
        signal: AbortSignal.timeout(5_000),
        ...request,
      }),
  };
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

function event(uid: string): string {
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270301T090000Z\r\nDTEND:20270301T100000Z\r\nSUMMARY:${uid}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
}

async function drain(
  pages: AsyncGenerator<PullPage, PullEnd>,
): Promise<{ items: Item[]; gone: string[]; end: PullEnd }> {
  const items: Item[] = [];
  const gone: string[] = [];
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done) return { items, gone, end: step.value };
    items.push(...step.value.items);
    gone.push(...step.value.gone);
  }
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

describe('lost cursors', () => {
  it('a cursor does not expire when the whole server fails', async () => {
    const world = begin();
    world.put('a');
    const { end } = await drain(world.open());
    world.intercept(() => ({ status: 500, headers: {}, body: '' }));
    expect(await refusalOf(drain(world.open({ cursor: end.cursor })))).toMatchObject({
      kind: 'transient',
      code: 'SERVER_ERROR',
    });
  });

  it('a cursor does not expire when the account may no longer read the calendar', async () => {
    const world = begin();
    const { end } = await drain(world.open());
    world.intercept(() => ({ status: 403, headers: {}, body: '' }));
    expect(await refusalOf(drain(world.open({ cursor: end.cursor })))).toMatchObject({
      kind: 'rejected',
      code: 'FORBIDDEN',
    });
  });

  it.each([400, 403, 409, 410, 412, 500])(
    'a status %s for the sync token alone means a lost cursor, or with 410 a lost calendar',
    async (status) => {
      const world = begin();
      const { end } = await drain(world.open());
      world.intercept((request, next) => (request.method === 'REPORT' ? { status, headers: {}, body: '' } : next()));
      const refused = await refusalOf(drain(world.open({ cursor: end.cursor })));
      // 410 may also mean the calendar; listing it then tells.
      expect(refused.kind).toBe(status === 410 ? 'not-found' : 'cursor-expired');
    },
  );

  it('a cursor in an unknown format leads to a complete listing', async () => {
    const world = begin();
    const ref = world.put('a');
    const { end } = await drain(world.open({ cursor: 'of some older version' }));
    expect(end.listed).toEqual(new Set([ref]));
  });

  it('an empty response to an old sync token deletes nothing', async () => {
    const world = begin('sogo');
    world.put('a');
    const first = await drain(world.open());
    world.intercept((request, next) =>
      request.method === 'REPORT'
        ? {
            status: 207,
            headers: { 'content-type': 'application/xml' },
            body: '<d:multistatus xmlns:d="DAV:"><d:sync-token>9</d:sync-token></d:multistatus>',
          }
        : next(),
    );
    const next = await drain(world.open({ cursor: first.end.cursor }));
    expect(next).toMatchObject({ items: [], gone: [], end: { listed: null } });
  });
});

describe('complete listings', () => {
  it('a listing without the calendar itself is refused', async () => {
    const world = begin();
    world.put('a');
    const { end } = await drain(world.open());
    world.intercept((request, next) =>
      request.method === 'PROPFIND'
        ? { status: 207, headers: {}, body: '<d:multistatus xmlns:d="DAV:"></d:multistatus>' }
        : next(),
    );
    expect(await refusalOf(drain(world.open({ cursor: end.cursor, full: true })))).toMatchObject({
      code: 'BAD_ANSWER',
    });
  });

  it('an empty first sync-collection is verified by a PROPFIND listing', async () => {
    const world = begin();
    const ref = world.put('a');
    world.intercept((request, next) =>
      request.method === 'REPORT' && request.body?.includes('sync-collection')
        ? {
            status: 207,
            headers: {},
            body: '<d:multistatus xmlns:d="DAV:"><d:sync-token>1</d:sync-token></d:multistatus>',
          }
        : next(),
    );
    const first = await drain(world.open());
    expect(first.end.listed).toEqual(new Set([ref]));
    expect(first.items).toHaveLength(1);
  });

  it('a listing ignores hrefs outside the calendar', async () => {
    const world = begin();
    const ref = world.put('a');
    world.intercept(async (request, next) => {
      const response = await next();
      const stray = (href: string) =>
        `<d:response xmlns:d="DAV:"><d:href>${href}</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop>` +
        '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
      if (request.method !== 'PROPFIND' || typeof response.body !== 'string') return response;
      const strays =
        stray('/calendars/bob/work/x.ics') +
        stray('https://evil.example/x.ics') +
        stray('/calendars/alice/work/../x.ics');
      return { ...response, body: response.body.replace(/(<\/[A-Za-z]+:multistatus>)/, `${strays}$1`) };
    });
    expect((await drain(world.open({ full: true }))).end.listed).toEqual(new Set([ref]));
  });

  it.each(['a scrub', 'a first synchronisation'])(
    'a listing in %s with only hrefs outside the calendar is refused',
    async (kind) => {
      const world = begin();
      world.put('a');
      world.intercept(async (_, next) => {
        const response = await next();
        if (typeof response.body !== 'string') return response;
        return { ...response, body: response.body.replaceAll('/calendars/alice/work/', '/moved/alice/work/') };
      });
      const refused = await refusalOf(drain(world.open({ full: kind === 'a scrub' })));
      expect(refused).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
    },
  );

  it('a task is listed but not returned as an event', async () => {
    const world = begin();
    const ref = world.put('todo', event('todo').replaceAll('VEVENT', 'VTODO'));
    const got = await drain(world.open());
    expect(got.items).toEqual([]);
    expect(got.end.listed).toEqual(new Set([ref]));
  });
});

describe('sync-collection', () => {
  it('a sync-collection in many parts is read completely', async () => {
    const world = begin('faithful', { truncatesSyncAt: 10 });
    const refs = Array.from({ length: 35 }, (_, n) => world.put(`e${n}`));
    const got = await drain(world.open());
    expect(new Set(got.items.map((item) => item.ref))).toEqual(new Set(refs));
    expect(got.end.listed).toEqual(new Set(refs));
    expect(got.end.requests).toBe(5);
    world.put('late');
    expect((await drain(world.open({ cursor: got.end.cursor }))).items.map((item) => item.uid)).toEqual(['late']);
  });

  it('a sync-collection cut off in the middle is refused, and the next pull reads everything', async () => {
    const world = begin();
    world.put('a');
    world.emulator.addFault({ op: 'sync-collection', effect: { kind: 'truncated', keep: 0.7 } });
    expect(await refusalOf(drain(world.open()))).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
    expect((await drain(world.open())).items).toHaveLength(1);
  });

  it('an object name with special characters is read correctly', async () => {
    const world = begin();
    const ref = world.put(`a&b <c> "d" 100% é'`);
    const got = await drain(world.open());
    expect(got.items.map((item) => item.ref)).toEqual([ref.replace('%', '%25')]);
  });

  it('the next events are fetched while the caller processes the last ones', async () => {
    const world = begin();
    for (let n = 0; n < 160; n += 1) world.put(`e${n}`);
    const pages = world.open();
    await pages.next();
    const multigets = () => world.emulator.ledger.filter((entry) => entry.operation === 'multiget');
    await expect.poll(multigets).toHaveLength(2);
    await pages.return({ cursor: null, listed: null, requests: 0 });
    expect(multigets()).toHaveLength(2);
  });

  it('a pull can be abandoned although its next part fails', async () => {
    const world = begin();
    for (let n = 0; n < 160; n += 1) world.put(`e${n}`);
    world.emulator.addFault({ op: 'multiget', nth: 2, times: 0, effect: { kind: 'reset' } });
    const pages = world.open();
    expect((await pages.next()).done).toBe(false);
    await pages.return({ cursor: null, listed: null, requests: 0 });
    // An unhandled rejection would fail this file.
    await expect.poll(() => world.emulator.ledger.filter((entry) => entry.operation === 'multiget')).toHaveLength(2);
  });
});

describe('servers without sync-collection', () => {
  const old = { syncCollection: false } as const;

  it('a server without sync-collection is listed until its CTag is five seconds old, then only after the CTag changes', async () => {
    const world = begin('faithful', old);
    const ref = world.put('a');
    const pull = async (cursor: string | null) => {
      const got = await drain(world.open({ cursor }));
      for (const item of got.items) world.known.set(item.ref, item.version);
      return got;
    };
    const first = await pull(null);
    expect(first.end.listed).toEqual(new Set([ref]));
    // The same mark may hide a change of this very second.
    const second = await pull(first.end.cursor);
    expect(second.end).toMatchObject({ listed: new Set([ref]), requests: 2 });
    world.advance(6_000);
    const third = await pull(second.end.cursor);
    expect(third.end.requests).toBe(2);
    const quiet = await pull(third.end.cursor);
    expect(quiet.end).toMatchObject({ listed: null, requests: 1 });
    world.remove('a');
    const created = world.put('b');
    const changed = await pull(quiet.end.cursor);
    expect(changed.items.map((item) => item.ref)).toEqual([created]);
    expect(changed.end.listed).toEqual(new Set([created]));
    // A scrub in between keeps the mark.
    const scrub = await drain(world.open({ cursor: changed.end.cursor, full: true }));
    expect(scrub.end.cursor).toMatch(/^c:/);
  });

  it('a full pull keeps the sync token of a server that names its token only in reports', async () => {
    const world = begin();
    world.put('a');
    const { end } = await drain(world.open());
    world.intercept(async (request, next) => {
      const response = await next();
      if (request.method !== 'PROPFIND' || typeof response.body !== 'string') return response;
      return { ...response, body: response.body.replace(/<(\w+:)sync-token>.*?<\/\1sync-token>/g, '') };
    });
    expect((await drain(world.open({ cursor: end.cursor, full: true }))).end.cursor).toBe(end.cursor);
  });
});

describe('routine pulls', () => {
  /** Runs rounds of a heartbeat, each this long after the last; `methods` are those of the last one. */
  function beat(world: ReturnType<typeof begin>) {
    let methods: string[] = [];
    let cursor: string | null = null;
    world.intercept((request, next) => {
      methods.push(request.method);
      return next();
    });
    return async (afterMs: number, routine = true) => {
      world.advance(afterMs);
      methods = [];
      const read = await drain(world.open({ cursor, routine }));
      cursor = read.end.cursor;
      for (const item of read.items) world.known.set(item.ref, item.version);
      return { ...read, uids: read.items.map((item) => item.uid), methods };
    };
  }

  it('a routine pull asks only for the CTag once a report has verified it', async () => {
    const world = begin();
    world.put('a');
    const round = beat(world);
    await round(0);
    expect((await round(6_000)).methods).toEqual(['PROPFIND', 'REPORT']);
    expect((await round(6_000)).methods).toEqual(['PROPFIND', 'REPORT']);
    const quiet = await round(6_000);
    expect(quiet.methods).toEqual(['PROPFIND']);
    expect(quiet.end).toMatchObject({ requests: 1, listed: null });
    world.put('b');
    expect(await round(6_000)).toMatchObject({ uids: ['b'], methods: ['PROPFIND', 'REPORT', 'REPORT'] });
  });

  it('a pull after a notification asks for the changes and not for the CTag', async () => {
    const world = begin();
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.put('a');
    expect(await round(0, false)).toMatchObject({ uids: ['a'], methods: ['REPORT', 'REPORT'] });
    expect((await round(0, false)).methods).toEqual(['REPORT']);
  });

  it('a CTag of whole seconds is trusted only after its second is over', async () => {
    const world = begin('sogo');
    const round = beat(world);
    world.put('a');
    await round(0);
    await round(100);
    world.put('b');
    expect((await round(100)).uids).toEqual(['b']);
    world.put('c');
    expect((await round(100)).uids).toEqual(['c']);
  });

  it('a CTag that returns to an earlier value hides no change', async () => {
    const world = begin('radicale');
    world.put('a');
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.put('b');
    expect((await round(0, false)).uids).toEqual(['b']);
    world.remove('b');
    expect((await round(6_000)).gone).toEqual(['/calendars/alice/work/b.ics']);
  });

  it('a stuck CTag is detected within ten minutes and never trusted again', async () => {
    const world = begin('faithful', { ctags: 'stuck' });
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.put('a');
    expect((await round(6_000)).uids).toEqual([]);
    expect((await round(600_000)).uids).toEqual(['a']);
    world.put('b');
    expect(await round(6_000)).toMatchObject({ uids: ['b'], methods: ['REPORT', 'REPORT'] });
    expect((await round(6_000)).methods).toEqual(['REPORT']);
  });

  it.each([
    ['has no tag', () => begin('faithful', { ctags: 'none' })],
    ['refuses to tell it', () => begin()],
  ])('a CTag is requested only once when the server %s', async (says, open) => {
    const world = open();
    const round = beat(world);
    await round(0);
    if (says === 'refuses to tell it') {
      world.intercept((request, next) =>
        request.method === 'PROPFIND' ? { status: 403, headers: {}, body: '' } : next(),
      );
    }
    await round(6_000);
    world.put('a');
    expect(await round(6_000)).toMatchObject({ uids: ['a'], end: { requests: 2 } });
    expect((await round(6_000)).end.requests).toBe(1);
  });

  it('a routine pull reports a deleted calendar as gone', async () => {
    const world = begin();
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.emulator.world.users.get('alice')?.calendars.delete('work');
    expect(await refusalOf(round(6_000))).toMatchObject({ kind: 'not-found', code: 'CALENDAR_GONE' });
  });
});

describe('calendars that are due together', () => {
  /** Calendars at rest whose tags are believed, and a round over some of them; `asked` are the requests of the last one. */
  async function beginSeveral(names: string[], profile: QuirkProfile = 'faithful', overrides: Partial<Quirks> = {}) {
    const world = begin(profile, overrides);
    const alice = world.emulator.world.users.get('alice');
    if (alice === undefined) throw new Error('The emulator has no alice');
    const calendars = new Map(names.map((name) => [name, addCalendar(world.emulator.world, alice, name)]));
    const cursors = new Map<string, string | null>();
    const asked: string[] = [];
    let answer: Intercept = (_, next) => next();
    world.intercept((request, next) => {
      asked.push(`${request.method} ${new URL(request.url).pathname.replace('/calendars/alice/', '~/')}`);
      return answer(request, next);
    });
    const pull = async (name: string, request: Partial<PullRequest> = {}) => {
      const calendarRef = `/calendars/alice/${name}/`;
      const cursor = cursors.get(name) ?? null;
      const got = await drain(world.open({ calendarRef, cursor, routine: true, ...request }));
      cursors.set(name, got.end.cursor);
      return { uids: got.items.map((item) => item.uid), requests: got.end.requests };
    };
    const round = async (of = names) => {
      asked.length = 0;
      return await Promise.all(of.map((name) => pull(name)));
    };
    const rest = async () => {
      for (let n = 0; n < 4; n += 1) {
        world.advance(6_000);
        await round();
      }
    };
    await rest();
    return {
      ...world,
      round,
      rest,
      pull,
      asked,
      answer: (next: Intercept) => {
        answer = next;
      },
      putInto: (name: string, uid: string) => {
        const calendar = calendars.get(name);
        if (calendar === undefined) throw new Error(`There is no ${name}`);
        putObject(world.emulator.world, calendar, `${uid}.ics`, uid, event(uid), world.emulator.clock.now());
      },
    };
  }

  const nothing = { uids: [], requests: 0 };
  const isOfHome = ({ url, method }: CaldavHttpRequest) => method === 'PROPFIND' && url.endsWith('/alice/');

  it('calendars due together share one PROPFIND, and each still sees its own changes', async () => {
    const world = await beginSeveral(['one', 'two', 'three', 'work']);
    for (let n = 0; n < 3; n += 1) {
      expect((await world.round()).map(({ requests }) => requests)).toEqual([1, 0, 0, 0]);
      expect(world.asked).toEqual(['PROPFIND ~/']);
    }
    world.putInto('two', 'a');
    const found = await world.round();
    expect(found.map(({ uids }) => uids)).toEqual([[], ['a'], [], []]);
    expect(world.asked).toEqual(['PROPFIND ~/', 'REPORT ~/two/', 'REPORT ~/two/']);
  });

  it('a shared PROPFIND is sent at once when all calendars of the last round are due', async () => {
    const world = await beginSeveral(['one', 'two', 'work']);
    const sent: string[] = [];
    world.answer((request, next) => {
      sent.push(request.url);
      return next();
    });
    const pulls = ['one', 'two', 'work'].map((name) => world.pull(name));
    // no timer runs before these
    for (let turn = 0; turn < 3 && sent.length === 0; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(1);
    await Promise.all(pulls);
  });

  it('a few calendars of many are requested one by one', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'work'];
    const world = await beginSeveral(names);
    await world.round(['one', 'two']);
    expect(world.asked).toEqual(['PROPFIND ~/one/', 'PROPFIND ~/two/']);
    for (let n = 0; n < 2; n += 1) await world.round(names.slice(0, 5));
    expect(world.asked).toEqual(['PROPFIND ~/']);
  });

  it.each([
    ['refuses', () => ({ status: 403, headers: {}, body: '' })],
    ['asks for a password of its own', () => ({ status: 401, headers: {}, body: '' })],
    ['breaks down', () => ({ status: 500, headers: {}, body: '' })],
    ['answers with a page', () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html/>' })],
    ['tells nothing', () => ({ status: 207, headers: {}, body: '<d:multistatus xmlns:d="DAV:"/>' })],
    [
      'is cut off',
      async (next: () => Promise<CaldavHttpResponse>) => {
        const whole = await next();
        return typeof whole.body === 'string' ? { ...whole, body: whole.body.slice(0, 400) } : whole;
      },
    ],
  ])('calendars are requested one by one for an hour when their home %s', async (_, refuse) => {
    const world = await beginSeveral(['one', 'work']);
    world.answer((request, next) => (isOfHome(request) ? refuse(next) : next()));
    world.putInto('one', 'a');
    expect((await world.round()).map(({ uids }) => uids)).toEqual([['a'], []]);
    expect(world.asked).toContain('PROPFIND ~/');
    await world.rest();
    expect(await world.round()).toEqual([
      { uids: [], requests: 1 },
      { uids: [], requests: 1 },
    ]);
    expect(world.asked).toEqual(['PROPFIND ~/one/', 'PROPFIND ~/work/']);
    world.answer((_request, next) => next());
    world.advance(3_600_000);
    await world.rest();
    await world.round();
    expect(world.asked).toEqual(['PROPFIND ~/']);
  });

  it('a calendar missing from the response of the home is requested separately', async () => {
    const world = await beginSeveral(['one', 'two', 'work']);
    world.answer(async (request, next) => {
      const response = await next();
      if (!isOfHome(request) || typeof response.body !== 'string') return response;
      return { ...response, body: response.body.replaceAll('/calendars/alice/two/', '/calendars/bob/two/') };
    });
    world.putInto('two', 'a');
    expect((await world.round()).map(({ uids }) => uids)).toEqual([[], ['a'], []]);
    expect(world.asked.slice(0, 2)).toEqual(['PROPFIND ~/', 'PROPFIND ~/two/']);
  });

  it('calendars of a rate-limited account all wait', async () => {
    const world = await beginSeveral(['one', 'work']);
    world.answer(() => ({ status: 429, headers: { 'retry-after': '7' }, body: '' }));
    const refused = await Promise.all(['one', 'work'].map((name) => refusalOf(world.pull(name))));
    expect(refused).toMatchObject([
      { kind: 'rate-limited', retryAfterMs: 7_000 },
      { kind: 'rate-limited', retryAfterMs: 7_000 },
    ]);
    world.answer((_, next) => next());
    await world.round();
    expect(world.asked).toEqual(['PROPFIND ~/']);
  });

  it('a shared PROPFIND continues when one of its pulls is aborted', async () => {
    const world = await beginSeveral(['one', 'work']);
    const held = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<AbortSignal>();
    world.answer(async (request, next) => {
      sent.resolve(request.signal);
      await held.promise;
      return await next();
    });
    const impatient = new AbortController();
    const left = refusalOf(world.pull('one', { signal: impatient.signal }));
    const stays = world.pull('work');
    const signal = await sent.promise;
    impatient.abort();
    expect(await left).toMatchObject({ kind: 'transient', code: 'ABORTED' });
    expect(signal.aborted).toBe(false);
    held.resolve();
    expect(await stays).toEqual(nothing);
  });

  it('a shared PROPFIND is aborted when all of its pulls are aborted', async () => {
    const world = await beginSeveral(['one', 'work']);
    const sent = Promise.withResolvers<AbortSignal>();
    world.answer(async (request) => {
      sent.resolve(request.signal);
      return await new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
      });
    });
    const impatient = new AbortController();
    const left = ['one', 'work'].map((name) => refusalOf(world.pull(name, { signal: impatient.signal })));
    const signal = await sent.promise;
    impatient.abort();
    expect(await Promise.all(left)).toMatchObject([{ code: 'ABORTED' }, { code: 'ABORTED' }]);
    expect(signal.aborted).toBe(true);
    world.answer((_, next) => next());
    expect((await world.round()).map(({ uids }) => uids)).toEqual([[], []]);
  });

  it('a pull does not use a shared PROPFIND that was sent before the pull began', async () => {
    const most = ['one', 'two', 'three'];
    const world = await beginSeveral([...most, 'work']);
    const before = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    world.answer(async (request, next) => {
      const response = await next();
      if (isOfHome(request)) {
        before.resolve();
        await answered.promise;
      }
      return response;
    });
    const first = world.round(most);
    await before.promise;
    world.putInto('work', 'a');
    const late = world.pull('work');
    expect((await late).uids).toEqual(['a']);
    answered.resolve();
    expect((await first).map(({ uids }) => uids)).toEqual([[], [], []]);
  });
});

describe('calendar objects', () => {
  it('an object deleted between listing and reading is gone by its own 404', async () => {
    const world = begin('davical');
    world.put('kept');
    const lost = world.put('lost');
    let once = true;
    world.intercept((request, next) => {
      if (once && request.body?.includes('multiget')) {
        once = false;
        world.remove('lost');
      }
      return next();
    });
    const got = await drain(world.open());
    expect(got.items.map((item) => item.uid)).toEqual(['kept']);
    expect(got.gone).toEqual([lost]);
    expect(got.end.listed?.has(lost)).toBe(false);
  });

  it('an object missing from a multiget response is fetched alone', async () => {
    const world = begin();
    world.put('a');
    world.put('b');
    world.intercept(async (request, next) => {
      const response = await next();
      if (!request.body?.includes('multiget') || typeof response.body !== 'string') return response;
      return { ...response, body: response.body.replace(/BEGIN:VCALENDAR[\s\S]*?END:VCALENDAR\s*/, '') };
    });
    const got = await drain(world.open());
    expect(new Set(got.items.map((item) => item.uid))).toEqual(new Set(['a', 'b']));
    expect(got.items.every((item) => item.version !== '')).toBe(true);
  });

  it('an object with a character that a fold divides is read whole', async () => {
    const world = begin();
    const bytes = Buffer.from(event('a').replace('SUMMARY:a', 'SUMMARY:Gr\u0000ße'));
    const at = bytes.indexOf(0);
    const folded = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([0xc3, 13, 10, 32, 0xbc]),
      bytes.subarray(at + 1),
    ]);
    world.put('a', event('a').replace('SUMMARY:a', 'SUMMARY:Gr\uFFFD\r\n \uFFFDße'));
    world.intercept(async (request, next) => {
      const response = await next();
      return request.method === 'GET' ? { ...response, body: chunks(folded) } : response;
    });
    expect((await drain(world.open())).items).toMatchObject([{ body: { core: { title: 'Grüße' } } }]);
  });

  it.each([403, 500, 423])('an object that a listing names with status %i is not taken for deleted', async (status) => {
    const world = begin('faithful');
    world.put('a');
    const ill = world.put('ill');
    const first = await drain(world.open({ full: true }));
    for (const item of first.items) world.known.set(item.ref, item.version);
    world.intercept(async (request, next) => {
      const response = await next();
      if (request.method !== 'PROPFIND' || request.headers.depth === '0' || typeof response.body !== 'string')
        return response;
      const failed = `<d:response xmlns:d="DAV:"><d:href>${ill}</d:href><d:status>HTTP/1.1 ${status} No</d:status></d:response>`;
      const others = response.body.replace(
        /<([a-z]+:)?response>(?:(?!<\/\1response>)[\s\S])*ill\.ics[\s\S]*?<\/\1response>/i,
        failed,
      );
      return { ...response, body: others };
    });
    const got = await drain(world.open({ full: true }));
    expect(got.gone).toEqual([]);
    expect(got.end.listed?.has(ill)).toBe(true);
  });

  describe('objects that the server cannot return', () => {
    const beginIll = () => {
      const world = begin();
      world.put('a');
      const ill = world.put('ill');
      world.intercept(async (request, next) => {
        if (request.body?.includes('multiget')) return { status: 500, headers: {}, body: '' };
        return request.method === 'GET' && request.url.endsWith('ill.ics')
          ? { status: 500, headers: {}, body: '' }
          : await next();
      });
      return { ...world, ill };
    };

    it('an object that cannot be read fails the pull after its neighbors are returned', async () => {
      const world = beginIll();
      const pages = world.open({ failures: 2 });
      const first = await pages.next();
      expect(first.done === true ? [] : first.value.items.map((item) => item.uid)).toEqual(['a']);
      expect(await refusalOf(pages.next())).toMatchObject({ kind: 'transient', code: 'SERVER_ERROR' });
    });

    it('an object that keeps failing is withheld, and its neighbors are returned', async () => {
      const world = beginIll();
      const got = await drain(world.open({ failures: 3 }));
      expect(got.items.find((item) => item.ref === world.ill)).toMatchObject({
        version: '',
        body: { kind: 'withheld' },
      });
      expect(got.items.map((item) => item.uid)).toContain('a');
      expect(got.gone).toEqual([]);
    });

    it('a withheld object is requested again by every listing and fails none', async () => {
      const world = beginIll();
      const first = await drain(world.open({ failures: 3 }));
      for (const item of first.items) world.known.set(item.ref, item.version);
      const again = await drain(world.open({ full: true }));
      expect(again.items).toMatchObject([{ ref: world.ill, body: { kind: 'withheld' } }]);
      world.intercept((_, next) => next());
      const well = await drain(world.open({ full: true }));
      expect(well.items).toMatchObject([{ ref: world.ill, uid: 'ill' }]);
    });

    it('an object refused by its server is withheld at once', async () => {
      const world = begin();
      world.put('a');
      const ill = world.put('ill');
      world.intercept(async (request, next) => {
        if (request.body?.includes('multiget')) return { status: 500, headers: {}, body: '' };
        return request.url.endsWith('ill.ics') ? { status: 403, headers: {}, body: '' } : await next();
      });
      const got = await drain(world.open());
      expect(got.items.find((item) => item.ref === ill)).toMatchObject({ version: '', body: { kind: 'withheld' } });
    });
  });

  it('a pull fails and withholds nothing when no object can be read', async () => {
    const world = begin();
    for (let n = 0; n < 5; n += 1) world.put(`e${n}`);
    let asked = 0;
    world.intercept(async (request, next) => {
      if (request.method !== 'GET' && !request.body?.includes('multiget')) return await next();
      asked += 1;
      return { status: 502, headers: {}, body: '' };
    });
    expect(await refusalOf(drain(world.open()))).toMatchObject({ kind: 'transient', code: 'SERVER_ERROR' });
    expect(asked).toBe(4);
  });

  it('an object with a counter as ETag is read again when reported, but not when nothing changed', async () => {
    const world = begin('sogo');
    world.put('a', event('first'));
    const first = await drain(world.open());
    for (const item of first.items) world.known.set(item.ref, item.version);
    world.advance(2_000);
    world.remove('a');
    world.put('a', event('second'));
    const next = await drain(world.open({ cursor: first.end.cursor }));
    // Deleted and made again: same name, same version, another event.
    expect(next.items.map((item) => item.uid)).toEqual(['second']);
    const quiet = await drain(world.open({ cursor: next.end.cursor }));
    expect(quiet.items).toEqual([]);
    expect(quiet.end.requests).toBe(1);
  });

  it('an object with a counter as ETag is read once a week by full pulls', async () => {
    const world = begin('sogo');
    for (let n = 0; n < 30; n += 1) world.put(`e${n}`);
    const first = await drain(world.open());
    for (const item of first.items) world.known.set(item.ref, item.version);
    const read: string[] = [];
    for (let day = 0; day < 7; day += 1) {
      const scrub = await drain(world.open({ cursor: first.end.cursor, full: true }));
      expect(scrub.items.length).toBeLessThan(15);
      read.push(...scrub.items.map((item) => item.ref));
      world.advance(86_400_000);
    }
    expect(read).toHaveLength(30);
    expect(new Set(read).size).toBe(30);
  });
});
