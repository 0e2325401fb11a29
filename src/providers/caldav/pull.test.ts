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
        known: (refs) => Promise.resolve(new Map(refs.flatMap((ref) => [[ref, known.get(ref) ?? '']]))),
        signal: AbortSignal.timeout(5_000),
        ...request,
      }),
  };
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

describe('a lost cursor', () => {
  it('is not blamed when the whole server is ill', async () => {
    const world = begin();
    world.put('a');
    const { end } = await drain(world.open());
    world.intercept(() => ({ status: 500, headers: {}, body: '' }));
    expect(await refusalOf(drain(world.open({ cursor: end.cursor })))).toMatchObject({
      kind: 'transient',
      code: 'SERVER_ERROR',
    });
  });

  it('is not blamed when the account may no longer read', async () => {
    const world = begin();
    const { end } = await drain(world.open());
    world.intercept(() => ({ status: 403, headers: {}, body: '' }));
    expect(await refusalOf(drain(world.open({ cursor: end.cursor })))).toMatchObject({
      kind: 'rejected',
      code: 'FORBIDDEN',
    });
  });

  it.each([400, 403, 409, 410, 412, 500])(
    'is, when the server says %s to the token and answers otherwise',
    async (status) => {
      const world = begin();
      const { end } = await drain(world.open());
      world.intercept((request, next) => (request.method === 'REPORT' ? { status, headers: {}, body: '' } : next()));
      const refused = await refusalOf(drain(world.open({ cursor: end.cursor })));
      // 410 may also mean the calendar; listing it then tells.
      expect(refused.kind).toBe(status === 410 ? 'not-found' : 'cursor-expired');
    },
  );

  it('is refused in a form it never had', async () => {
    const world = begin();
    const ref = world.put('a');
    const { end } = await drain(world.open({ cursor: 'of some older version' }));
    expect(end.listed).toEqual(new Set([ref]));
  });

  it('leads to no deletion where the server quietly starts over with nothing', async () => {
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

describe('a complete listing', () => {
  it('is not believed without the calendar itself in it', async () => {
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

  it('is asked for again the plain way when the first synchronisation says that there is nothing', async () => {
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

  it('does not count names that lie elsewhere', async () => {
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
    'is not believed by %s when all its names lie elsewhere',
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

  it('holds tasks, which are no events and are not given as such', async () => {
    const world = begin();
    const ref = world.put('todo', event('todo').replaceAll('VEVENT', 'VTODO'));
    const got = await drain(world.open());
    expect(got.items).toEqual([]);
    expect(got.end.listed).toEqual(new Set([ref]));
  });
});

describe('a synchronisation', () => {
  it('in many parts arrives whole', async () => {
    const world = begin('faithful', { truncatesSyncAt: 10 });
    const refs = Array.from({ length: 35 }, (_, n) => world.put(`e${n}`));
    const got = await drain(world.open());
    expect(new Set(got.items.map((item) => item.ref))).toEqual(new Set(refs));
    expect(got.end.listed).toEqual(new Set(refs));
    expect(got.end.requests).toBe(5);
    world.put('late');
    expect((await drain(world.open({ cursor: got.end.cursor }))).items.map((item) => item.uid)).toEqual(['late']);
  });

  it('cut off in the middle gives nothing and keeps the old cursor', async () => {
    const world = begin();
    world.put('a');
    world.emulator.addFault({ op: 'sync-collection', effect: { kind: 'truncated', keep: 0.7 } });
    expect(await refusalOf(drain(world.open()))).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
    expect((await drain(world.open())).items).toHaveLength(1);
  });

  it('names objects with every awkward character', async () => {
    const world = begin();
    const ref = world.put(`a&b <c> "d" 100% é'`);
    const got = await drain(world.open());
    expect(got.items.map((item) => item.ref)).toEqual([ref.replace('%', '%25')]);
  });

  it('fetches the next events while the caller still works on the last', async () => {
    const world = begin();
    for (let n = 0; n < 160; n += 1) world.put(`e${n}`);
    const pages = world.open();
    await pages.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(world.emulator.ledger.filter((entry) => entry.operation === 'multiget')).toHaveLength(2);
    await pages.return({ cursor: null, listed: null, requests: 0 });
  });

  it('may be left in the middle although the next part fails', async () => {
    const world = begin();
    for (let n = 0; n < 160; n += 1) world.put(`e${n}`);
    world.emulator.addFault({ op: 'multiget', nth: 2, times: 0, effect: { kind: 'reset' } });
    const pages = world.open();
    expect((await pages.next()).done).toBe(false);
    await pages.return({ cursor: null, listed: null, requests: 0 });
    // An unhandled rejection would fail this file.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

describe('a server without sync-collection', () => {
  const old = { syncCollection: false } as const;

  it('is listed until its mark has stood for five seconds, and then left alone until the mark moves', async () => {
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

  it('that tells its token in reports alone keeps the token it gave', async () => {
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

describe('a routine round', () => {
  /** Rounds of a heartbeat, each so long after the last; `methods` are those of the last one. */
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

  it('asks for the tag alone once a report has shown what the tag stands for', async () => {
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

  it('asks for the changes themselves where somebody said that there are some', async () => {
    const world = begin();
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.put('a');
    expect(await round(0, false)).toMatchObject({ uids: ['a'], methods: ['REPORT', 'REPORT'] });
    expect((await round(0, false)).methods).toEqual(['REPORT']);
  });

  it('believes a tag of whole seconds only when its second is over', async () => {
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

  it('is not led astray by a calendar that looks as it did before a change that was read', async () => {
    const world = begin('radicale');
    world.put('a');
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.put('b');
    expect((await round(0, false)).uids).toEqual(['b']);
    world.remove('b');
    expect((await round(6_000)).gone).toEqual(['/calendars/alice/work/b.ics']);
  });

  it('holds a tag that stands still against a report within ten minutes, and never believes it again', async () => {
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
  ])('asks a server that %s once', async (says, open) => {
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

  it('says that the calendar is gone', async () => {
    const world = begin();
    const round = beat(world);
    for (let n = 0; n < 4; n += 1) await round(6_000);
    world.emulator.world.users.get('alice')?.calendars.delete('work');
    expect(await refusalOf(round(6_000))).toMatchObject({ kind: 'not-found', code: 'CALENDAR_GONE' });
  });
});

describe('an object', () => {
  it('deleted between listing and reading is gone by its own 404, not by silence', async () => {
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

  it('left out of the answer is fetched alone', async () => {
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

  it('that its server cannot give is withheld, asked for again next time, and stops nobody', async () => {
    const world = begin();
    world.put('a');
    const ill = world.put('ill');
    world.intercept(async (request, next) => {
      if (request.body?.includes('multiget')) return { status: 500, headers: {}, body: '' };
      return request.method === 'GET' && request.url.endsWith('ill.ics')
        ? { status: 500, headers: {}, body: '' }
        : await next();
    });
    const got = await drain(world.open());
    expect(got.items.find((item) => item.ref === ill)).toMatchObject({ version: '', body: { kind: 'withheld' } });
    expect(got.items.map((item) => item.uid)).toContain('a');
    expect(got.gone).toEqual([]);
  });

  it('is not the matter when none can be had', async () => {
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

  it('with a counter for a version is read again when the server names it, unless nothing moved at all', async () => {
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

  it('with a counter for a version is read by one scrub a week, named or not', async () => {
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
