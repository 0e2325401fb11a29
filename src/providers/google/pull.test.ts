import { describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { Item, Series } from '#kernel/event.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount, openEmulatedGoogle } from '../../../test/harness/google-world.ts';
import { conformanceIdentity, conformanceTags } from '../conformance.ts';
import type { PullEnd, PullRequest } from '../port.ts';

/** Pulls of Google's special cases, and the number of requests. */

type SeedEvents = NonNullable<
  Extract<Parameters<ReturnType<typeof emulateGoogle>['control']['seed']>[0], { calendars?: unknown }>['calendars']
>[number]['events'];

interface Pulled {
  items: Map<string, Item>;
  gone: string[];
  end: PullEnd;
}

async function openWith(events: SeedEvents = [], pageSize = 50) {
  const emulated = emulateGoogle();
  await emulated.control.seed({ account: googleAccount, calendars: [{ events }] });
  const { token } = await emulated.signIn(googleAccount);
  const provider = openEmulatedGoogle(emulated, fixedTokens(token.access_token), conformanceTags, { pageSize });
  const held = new Map<string, Item>();
  let cursor: string | null = null;
  const read = async (request: Partial<PullRequest> = {}): Promise<Pulled> => {
    const items = new Map<string, Item>();
    const gone: string[] = [];
    const pages = provider.pull({
      calendarRef: googleAccount,
      cursor,
      full: false,
      known: async (refs) =>
        new Map(refs.flatMap((ref) => (held.has(ref) ? [[ref, held.get(ref)?.version ?? '']] : []))),
      signal: AbortSignal.timeout(10_000),
      ...request,
    });
    for (;;) {
      const step = await pages.next();
      if (step.done) return { items, gone, end: step.value };
      for (const item of step.value.items) items.set(item.ref, item);
      gone.push(...step.value.gone);
    }
  };
  return {
    ...emulated,
    provider,
    held,
    read,
    /** One pull whose outcome is kept, as the engine would. */
    async pull(request: Partial<PullRequest> = {}): Promise<Pulled> {
      const pulled = await read(request);
      for (const ref of pulled.gone) held.delete(ref);
      for (const [ref, item] of pulled.items) held.set(ref, item);
      if (pulled.end.listed !== null) for (const ref of held.keys()) if (!pulled.end.listed.has(ref)) held.delete(ref);
      cursor = pulled.end.cursor;
      return pulled;
    },
    act: (command: Record<string, unknown>) => emulated.control.act({ account: googleAccount, ...command } as never),
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

const single = (n: number) => ({ summary: `Meeting ${n}`, start: `2027-03-${String(n).padStart(2, '0')}T09:00` });
const weekly = { summary: 'Weekly', start: '2027-03-08T09:00', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=8'] };
const exceptional = {
  ...weekly,
  instances: { '2027-03-15T09:00': null, '2027-03-22T09:00': { start: '2027-03-23T14:00', summary: 'Moved' } },
};
const seriesIn = (items: Map<string, Item>) =>
  [...items.values()].map((item) => item.body).find((body): body is Series => body.kind === 'series');

describe('full lists', () => {
  it('a full list has no time bounds, requests masters, and limits attendees to 200', async () => {
    const world = await openWith([single(1)]);
    await world.control.clearLedger();
    await world.pull();
    const [request, ...more] = await world.control.ledger();
    expect(more).toEqual([]);
    const query = new URLSearchParams(request?.query);
    expect(query.get('singleEvents')).toBe('false');
    expect(query.get('maxAttendees')).toBe('200');
    for (const name of ['timeMin', 'timeMax', 'showDeleted', 'orderBy', 'q']) expect(query.has(name)).toBe(false);
  });

  it('a full list takes one request per page, whatever series it has', async () => {
    const world = await openWith([...Array.from({ length: 20 }, () => exceptional), single(1)], 10);
    const { items, end } = await world.pull();
    expect(items.size).toBe(21);
    // 20 masters, 40 exceptions, one meeting
    expect(end.requests).toBe(7);
    for (const item of items.values()) {
      if (item.body.kind !== 'series') continue;
      expect(item.body.exdates).toEqual(['20270315T080000Z']);
      expect(Object.keys(item.body.overrides)).toEqual(['20270322T080000Z']);
    }
  });

  it.each([
    ['exceptions before their masters', 'G12', 'exceptions-first'],
    ['an empty page that names a next one', 'G12', 'empty-page'],
    ['a page of one', 'G12', 'short-page'],
    ['a page given twice', 'F6', 'repeated'],
    ['pages in another order', 'F6', 'shuffled'],
    ['events given twice', 'F6', 'doubled'],
  ])('a full list is the same with %s', async (_, name, variant) => {
    const plain = await openWith([exceptional, single(1), single(2)], 2);
    const bent = await openWith([exceptional, single(1), single(2)], 2);
    await bent.control.addFaults({ name, variant, times: variant === 'empty-page' ? 1 : 0 });
    const [expected, got] = [await plain.pull(), await bent.pull()];
    expect(got.items).toEqual(expected.items);
    expect(got.end.listed).toEqual(expected.end.listed);
    expect(seriesIn(got.items)?.overrides).toHaveProperty('20270322T080000Z');
  });

  it('a list that never ends is given up', async () => {
    const world = await openWith([single(1)]);
    await world.control.addFaults({ name: 'G12', variant: 'endless', times: 0 });
    expect(await refusalOf(world.read())).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
  });

  it('a list too large for one response is read in smaller pages from then on', async () => {
    const events = Array.from({ length: 1_200 }, (_, n) => ({
      ...single(1 + (n % 28)),
      description: 'x'.repeat(9_000),
    }));
    const world = await openWith(events, 2_500);
    const { items, end } = await world.pull();
    expect(items.size).toBe(1_200);
    expect(end.listed?.size).toBe(1_200);
    expect(end.requests).toBe(25);
    await world.act({ do: 'edit', pick: 0, patch: { summary: 'Changed' } });
    expect((await world.pull()).items.size).toBe(1);
    const [last] = (await world.control.ledger()).slice(-1);
    expect(last).toMatchObject({ status: 200 });
    expect(new URLSearchParams(last?.query).get('maxResults')).toBe('50');
  });
});

describe('incremental lists', () => {
  it('an incremental list too large for one response expires the cursor', async () => {
    const world = await openWith([], 2_500);
    await world.pull();
    const events = Array.from({ length: 1_200 }, () => ({ ...single(1), description: 'x'.repeat(9_000) }));
    await world.control.seed({ account: googleAccount, calendars: [{ events }] });
    expect(await refusalOf(world.read())).toMatchObject({ kind: 'cursor-expired' });
    expect((await world.pull({ cursor: null, full: true })).items.size).toBe(1_200);
  });

  it('a master missing from a search is not taken for deleted', async () => {
    const world = await openWith([weekly]);
    await world.pull();
    await world.act({ do: 'move', pick: 'Weekly', at: '2027-03-15T09:00', minutes: 60 });
    await world.control.addFaults({ name: 'G12', variant: 'missing-item', op: 'events.list', nth: 2 });
    const { items, gone } = await world.pull();
    expect(gone).toEqual([]);
    expect(seriesIn(items)?.rules).toEqual(['FREQ=WEEKLY;COUNT=8']);
  });

  it('a changed series without exceptions takes no further request', async () => {
    const world = await openWith([weekly]);
    await world.pull();
    await world.act({ do: 'edit', pick: 'Weekly', patch: { summary: 'Renamed' } });
    const { items, end } = await world.pull();
    expect(seriesIn(items)?.core.title).toBe('Renamed');
    expect(end.requests).toBe(1);
  });

  it('a changed instance without its master takes one further request', async () => {
    const world = await openWith([weekly, single(1)]);
    await world.pull();
    await world.act({ do: 'move', pick: 'Weekly', at: '2027-03-15T09:00', minutes: 60 });
    const { items, gone, end } = await world.pull();
    expect(end.requests).toBe(2);
    expect(items.size).toBe(1);
    expect(gone).toEqual([]);
    const body = seriesIn(items);
    expect(body?.rules).toEqual(['FREQ=WEEKLY;COUNT=8']);
    expect(body?.overrides).toMatchObject({ '20270315T080000Z': { when: { start: '2027-03-15T10:00:00' } } });
  });

  it('a cancelled instance known only by its id is completed from its series', async () => {
    const world = await openWith([weekly]);
    await world.pull();
    await world.act({ do: 'delete', pick: 'Weekly', at: '2027-03-15T09:00' });
    const { items, gone, end } = await world.pull();
    expect(seriesIn(items)?.exdates).toEqual(['20270315T080000Z']);
    expect(gone).toEqual([]);
    expect(end.requests).toBe(3);
  });

  it('a changed master keeps its exceptions', async () => {
    const world = await openWith([exceptional]);
    await world.pull();
    await world.act({ do: 'edit', pick: 'Weekly', patch: { summary: 'Renamed' } });
    const { items, end } = await world.pull();
    const body = seriesIn(items);
    expect(body?.core.title).toBe('Renamed');
    expect(body?.exdates).toEqual(['20270315T080000Z']);
    expect(Object.keys(body?.overrides ?? {})).toEqual(['20270322T080000Z']);
    expect(end.requests).toBe(2);
  });

  it('a new series with exceptions is read from the incremental list alone', async () => {
    const world = await openWith([single(1)]);
    await world.pull();
    await world.control.seed({ account: googleAccount, calendars: [{ events: [exceptional] }] });
    const { items, end } = await world.pull();
    expect(Object.keys(seriesIn(items)?.overrides ?? {})).toEqual(['20270322T080000Z']);
    expect(end.requests).toBe(1);
  });

  it('a deleted series is reported as gone together with its exceptions', async () => {
    const world = await openWith([exceptional]);
    const ref = [...(await world.pull()).items.keys()];
    await world.act({ do: 'move', pick: 'Weekly', at: '2027-03-29T09:00', minutes: 60 });
    await world.act({ do: 'delete', pick: 'Weekly' });
    const { items, gone } = await world.pull();
    expect(items.size).toBe(0);
    expect(gone).toEqual(ref);
  });

  it('a "this and following" change returns the shortened series and the new one', async () => {
    const world = await openWith([weekly]);
    await world.pull();
    await world.act({ do: 'split', pick: 'Weekly', at: '2027-03-29T09:00', patch: { summary: 'From now on' } });
    const { items } = await world.pull();
    const titles = [...items.values()].map(({ body }) => (body.kind === 'series' ? [body.core.title, body.rules] : []));
    expect(titles).toHaveLength(2);
    expect(new Set(titles.map(([title]) => title))).toEqual(new Set(['From now on', 'Weekly']));
    expect(JSON.stringify(titles)).toContain('UNTIL=');
  });

  it('a series that became a single event drops its exceptions', async () => {
    const world = await openWith([exceptional]);
    await world.pull();
    await world.act({ do: 'edit', pick: 'Weekly', patch: { recurrence: null } });
    const { items, gone } = await world.pull();
    expect([...items.values()].map(({ body }) => body.kind)).toEqual(['single']);
    expect(gone).toEqual([]);
    expect(await world.pull({ cursor: null, full: true })).toMatchObject({ items: new Map() });
  });

  it('an instance without a visible master is returned as an instance', async () => {
    const world = await openWith([exceptional]);
    const [ref = ''] = [...(await world.pull()).items.keys()];
    // An invitation to one instance leaves the instance alone in the calendar.
    world.google.emulator.world.calendars.get(googleAccount)?.events.delete(ref);
    await world.act({ do: 'edit', pick: `${ref}_20270322T080000Z`, patch: { summary: 'Only this one' } });
    const { items } = await world.pull();
    expect(items.get(ref)?.body).toMatchObject({
      kind: 'instances',
      list: { '20270322T080000Z': { core: { title: 'Only this one' } } },
    });
    // A full list says the same of it.
    expect((await world.pull({ full: true })).items.size).toBe(0);
    await world.act({ do: 'delete', pick: `${ref}_20270322T080000Z` });
    expect(await world.pull()).toMatchObject({ items: new Map(), gone: [ref] });
  });

  it('a sync token is never sent with a parameter that Google forbids beside it', async () => {
    const world = await openWith([weekly]);
    await world.pull();
    await world.act({ do: 'move', pick: 'Weekly', at: '2027-03-15T09:00', minutes: 60 });
    await world.pull();
    await world.pull({ full: true });
    expect((await world.control.ledger()).filter(({ status }) => status === 400)).toEqual([]);
  });
});

describe('expired sync tokens', () => {
  it('a sync token that expires on the first or third page leads to a complete new list', async () => {
    for (const nth of [1, 3]) {
      const world = await openWith(
        Array.from({ length: 6 }, (_, n) => single(n + 1)),
        2,
      );
      await world.pull();
      for (let n = 0; n < 6; n += 1) await world.act({ do: 'edit', pick: n, patch: { location: 'Room' } });
      await world.control.addFaults({ name: 'G10', nth });
      expect(await refusalOf(world.read())).toMatchObject({ kind: 'cursor-expired' });
      const { end } = await world.pull({ cursor: null, full: true });
      expect(end.listed?.size).toBe(6);
    }
  });

  it('a sync token that expires after an access change expires the cursor', async () => {
    const world = await openWith([single(1)]);
    await world.pull();
    await world.act({ do: 'expire-sync-tokens' });
    expect(await refusalOf(world.read())).toMatchObject({ kind: 'cursor-expired', code: 'SYNC_TOKEN_EXPIRED' });
  });

  it('a cursor of another version leads to a full list', async () => {
    const world = await openWith([single(1)]);
    expect((await world.read({ cursor: 't:something-else' })).end.listed?.size).toBe(1);
  });
});

describe('failed pulls', () => {
  it.each([
    ['F1', 'reset', 'transient', /./],
    ['F3', '502', 'transient', 'SERVER_ERROR'],
    ['F3', '503', 'transient', 'SERVER_ERROR'],
    ['F4', 'truncated', 'transient', /./],
    ['F4', 'invalid', 'transient', 'BAD_ANSWER'],
    ['F4', 'login-page', 'transient', 'BAD_ANSWER'],
    ['G6', 'rateLimitExceeded', 'rate-limited', 'TOO_MANY_REQUESTS'],
    ['G6', 'userRateLimitExceeded', 'rate-limited', 'TOO_MANY_REQUESTS'],
    ['G6', '429', 'rate-limited', 'TOO_MANY_REQUESTS'],
    ['G8', 'insufficientPermissions', 'auth', 'SCOPE_MISSING'],
    ['G17', 'notFound', 'not-found', 'CALENDAR_GONE'],
    ['G17', 'requiredAccessLevel', 'rejected', 'FORBIDDEN'],
  ] as const)('a pull that fails by %s %s reports %s, and the next one resumes', async (name, variant, kind, code) => {
    const world = await openWith([single(1)]);
    await world.pull();
    await world.act({ do: 'edit', pick: 0, patch: { summary: 'Changed' } });
    await world.control.addFaults({ name, variant });
    const error = await refusalOf(world.read());
    expect(error.kind).toBe(kind);
    expect(error.code).toMatch(code);
    expect((await world.pull()).items.size).toBe(1);
  });

  it.each(['slow', 'timeout'])('a call under the fault "%s" ends at its deadline', async (variant) => {
    const world = await openWith([single(1)]);
    const { token } = await world.signIn(googleAccount);
    const hasty = openEmulatedGoogle(world, fixedTokens(token.access_token), conformanceTags, { timeoutMs: 600 });
    await world.control.addFaults(variant === 'slow' ? { name: 'F5', variant } : { name: 'F1', variant });
    expect(await refusalOf(hasty.listCalendars(AbortSignal.timeout(5_000)))).toMatchObject({
      kind: 'transient',
      code: 'TIMEOUT',
    });
  });

  it('a pull that fails while fetching a changed series keeps its sync token', async () => {
    const world = await openWith([weekly]);
    await world.pull();
    await world.act({ do: 'move', pick: 'Weekly', at: '2027-03-15T09:00', minutes: 60 });
    await world.control.addFaults({ name: 'F3', op: 'events.list', nth: 2 });
    expect(await refusalOf(world.read())).toMatchObject({ kind: 'transient' });
    expect(seriesIn((await world.pull()).items)?.overrides).toHaveProperty('20270315T080000Z');
  });
});

describe('access tokens', () => {
  const withTokens = async (faults: { times: number }) => {
    const world = await openWith([single(1)]);
    const { token } = await world.signIn(googleAccount);
    const tokens = fixedTokens(token.access_token, token.access_token);
    await world.control.addFaults({ name: 'G5', times: faults.times });
    await world.control.clearLedger();
    return { ...world, tokens, provider: openEmulatedGoogle(world, tokens, conformanceTags) };
  };

  it('a token refused once is replaced, and the call succeeds', async () => {
    const world = await withTokens({ times: 1 });
    expect(await world.provider.listCalendars(AbortSignal.timeout(5_000))).toHaveLength(1);
    expect(world.tokens.refused).toHaveLength(1);
    expect(await world.control.ledger()).toHaveLength(2);
  });

  it('a token refused twice means that access was revoked', async () => {
    const world = await withTokens({ times: 0 });
    const error = await refusalOf(world.provider.listCalendars(AbortSignal.timeout(5_000)));
    expect(error).toMatchObject({ kind: 'auth', code: 'ACCESS_REVOKED' });
    expect(await world.control.ledger()).toHaveLength(2);
  });
});

describe('calendar list', () => {
  it('a calendar list gives role, zone, color and the primary calendar', async () => {
    const world = await openWith();
    await world.control.seed({
      account: googleAccount,
      calendars: [
        { id: 'team@group', summary: 'Team', timeZone: 'America/New_York', backgroundColor: '#16a765' },
        { id: 'boss@example.org', owner: 'boss@example.org', role: 'reader', summary: 'Boss' },
        { id: 'half@example.org', owner: 'boss@example.org', role: 'freeBusyReader' },
        { id: 'blind@example.org', owner: 'boss@example.org', role: 'writerWithoutPrivateAccess' },
      ],
    });
    const calendars = await world.provider.listCalendars(AbortSignal.timeout(5_000));
    const byRef = new Map(calendars.map((calendar) => [calendar.ref, calendar]));
    expect(byRef.get(googleAccount)).toMatchObject({ primary: true, writable: true, zone: 'Europe/Berlin' });
    expect(byRef.get('team@group')).toMatchObject({
      name: 'Team',
      zone: 'America/New_York',
      color: '#16a765',
      writable: true,
      primary: false,
    });
    const writable = Object.fromEntries(calendars.map(({ ref, writable: can }) => [ref, can]));
    expect(writable).toMatchObject({
      'boss@example.org': false,
      'half@example.org': false,
      'blind@example.org': false,
    });
  });
});

describe('own series', () => {
  it('an own series that comes back in a pull is not fetched again', async () => {
    const world = await openWith();
    await world.pull();
    const when = {
      kind: 'zoned' as const,
      start: '2027-03-08T09:00:00',
      zone: 'Europe/Berlin',
      duration: { seconds: 900 },
    };
    const core = {
      busy: 'busy' as const,
      private: true,
      self: 'none' as const,
      kind: 'default' as const,
      title: 'Busy',
    };
    const series: Series = {
      kind: 'series',
      when,
      core,
      rules: ['FREQ=WEEKLY'],
      exRules: [],
      extraDates: [],
      exdates: [],
      overrides: {},
    };
    const signal = AbortSignal.timeout(5_000);
    const written = await world.provider.createMirror(googleAccount, conformanceIdentity(1), series, signal);
    const { items, end } = await world.pull();
    expect(end.requests).toBe(1);
    expect(items.get(written.ref)).toMatchObject({ provenance: 'own', version: written.version });
  });
});
