import { describe, expect, it } from 'vitest';
import type { QuirkProfile, Quirks } from '#emulators/caldav/quirks.ts';
import { addCalendar, putObject } from '#emulators/caldav/world.ts';
import type { FaultRule } from '#emulators/kit/faults.ts';
import { ProviderError } from '#kernel/errors.ts';
import { emulateCaldav } from '../../../test/harness/emulated-caldav.ts';
import { conformanceIdentity, conformanceTags } from '../conformance.ts';
import type { MirrorBody } from '../port.ts';
import type { CaldavHttp, CaldavHttpRequest, CaldavHttpResponse } from './http.ts';
import { type CaldavProfile, caldavProfiles } from './profiles.ts';
import { openCaldav } from './provider.ts';

/** Writes whose outcome is doubtful, refused, or told in the wrong way. */

const ref = '/calendars/alice/work/';
const identity = conformanceIdentity(1);
const body: MirrorBody = {
  kind: 'single',
  when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' },
  core: { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Busy' },
};
const signal = () => AbortSignal.timeout(5_000);

function begin(
  profile: QuirkProfile = 'faithful',
  overrides: Partial<Quirks> = {},
  as: CaldavProfile = caldavProfiles.generic,
) {
  const server = emulateCaldav(profile, overrides);
  const alice = server.emulator.world.users.get('alice');
  if (alice === undefined) throw new Error('The emulator has no alice');
  const calendar = addCalendar(server.emulator.world, alice, 'work');
  let rewrite: (request: CaldavHttpRequest, next: () => Promise<CaldavHttpResponse>) => Promise<CaldavHttpResponse> = (
    _,
    next,
  ) => next();
  const http: CaldavHttp = (request) => rewrite(request, () => server.http(request));
  const provider = openCaldav({
    baseUrl: server.url,
    username: 'alice',
    password: 'secret',
    profile: as,
    http,
    selfAddresses: [],
    tags: conformanceTags,
    clock: () => server.emulator.clock.now(),
    timeoutMs: 200,
  });
  return {
    ...server,
    calendar,
    provider,
    create: () => provider.createMirror(ref, identity, body, signal()),
    find: () => provider.findMirror(ref, identity, signal()),
    intercept: (next: typeof rewrite) => {
      rewrite = next;
    },
    fault: (rule: FaultRule) => server.emulator.addFault(rule),
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

describe('writes with a lost response', () => {
  it.each([
    ['a reset', { kind: 'reset' } as const, 'CONNECTION_LOST'],
    ['silence', { kind: 'stall' } as const, 'TIMEOUT'],
    ['a gateway error', { kind: 'status', status: 502 } as const, 'SERVER_ERROR'],
  ])('a create that loses its response to %s after it was applied is found by identity', async (_, effect, code) => {
    const world = begin();
    world.fault({ op: 'create', phase: 'after', effect });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient', code });
    const found = await world.find();
    expect(found).toMatchObject({ item: { uid: identity.uid, provenance: 'own' } });
    // And trying again does not make a second one.
    expect((await refusalOf(world.create())).kind).toBe('precondition');
    expect(world.calendar.objects.size).toBe(1);
  });

  it.each([
    ['a reset', { kind: 'reset' } as const],
    ['an overload', { kind: 'status', status: 503, retryAfter: '7' } as const],
  ])('a create that fails by %s before it was applied leaves nothing and can be repeated', async (_, effect) => {
    const world = begin();
    world.fault({ op: 'create', phase: 'before', effect });
    await refusalOf(world.create());
    expect(await world.find()).toBeNull();
    await world.create();
    expect(world.calendar.objects.size).toBe(1);
  });

  it('a failed write is not retried by the adapter', async () => {
    const world = begin();
    world.fault({ op: 'write', times: 0, effect: { kind: 'reset' } });
    await refusalOf(world.create());
    expect(world.emulator.ledger.filter((entry) => entry.method === 'PUT')).toHaveLength(1);
  });
});

describe('refused writes', () => {
  it.each([
    ['a read-only calendar', 'READ_ONLY', (world: ReturnType<typeof begin>) => (world.calendar.readOnly = true)],
    ['a full calendar', 'QUOTA', (world: ReturnType<typeof begin>) => (world.calendar.maxObjects = 0)],
    [
      'a size limit',
      'TOO_LARGE',
      (world: ReturnType<typeof begin>) => (world.emulator.world.quirks.maxResourceBytes = 50),
    ],
  ])('a write refused for %s is final: %s', async (_, code, arrange) => {
    const world = begin();
    arrange(world);
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'rejected', code });
  });

  it('a server whose weak ETags never match is told from a changed event', async () => {
    const world = begin();
    const written = await world.create();
    let puts = 0;
    world.intercept(async (request, next) => {
      if (request.headers['if-match'] === undefined) return await next();
      puts += 1;
      return { status: 412, headers: {}, body: '' };
    });
    const change = () => world.provider.updateMirror(ref, written, identity, body, signal());
    expect(await refusalOf(change())).toMatchObject({ kind: 'rejected', code: 'NO_CONDITIONAL_WRITES' });
    expect(puts).toBe(1);
  });

  it('a conflict about an event that did not change is about its content', async () => {
    const world = begin();
    const written = await world.create();
    // SOGo 5.8.0 on a SEQUENCE below the stored one
    const said = '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV">sequences don\'t match</D:error>';
    world.intercept(async (request, next) =>
      request.method === 'PUT' ? { status: 409, headers: { 'content-type': 'application/xml' }, body: said } : next(),
    );
    const change = () => world.provider.updateMirror(ref, written, identity, body, signal());
    expect(await refusalOf(change())).toMatchObject({ kind: 'rejected', code: 'REFUSED' });
  });

  it('a rate-limited write reports how long to wait', async () => {
    const world = begin();
    world.fault({ op: 'create', effect: { kind: 'status', status: 429, retryAfter: '30' } });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'rate-limited', retryAfterMs: 30_000 });
  });

  it('repeated rate limits increase the wait until a write succeeds', async () => {
    const world = begin('faithful', {}, caldavProfiles.icloud);
    world.fault({ op: 'create', times: 3, effect: { kind: 'status', status: 503, retryAfter: '3' } });
    const waits: (number | undefined)[] = [];
    for (let n = 0; n < 3; n += 1) waits.push((await refusalOf(world.create())).retryAfterMs);
    await world.create();
    world.fault({ op: 'write', effect: { kind: 'status', status: 429 } });
    waits.push((await refusalOf(world.create())).retryAfterMs);
    expect(waits).toEqual([3_000, 4_000, 8_000, 2_000]);
  });

  it("an identity that is still in the server's trash needs a new generation", async () => {
    const world = begin('faithful', {}, caldavProfiles.nextcloud);
    const text = 'Deleted calendar object with uid already exists in this calendar collection.';
    world.fault({ op: 'create', effect: { kind: 'status', status: 400, body: text } });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition', code: 'IDENTITY_BURNT' });
    expect(await world.find()).toBeNull();
  });

  it('a write answered with a sign-in page is not taken as done', async () => {
    const world = begin();
    world.fault({ op: 'create', effect: { kind: 'login-page' } });
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'transient', code: 'LOGIN_PAGE' });
  });

  it('an error inside a 207 refuses the write, and a renamed mirror is still found', async () => {
    const world = begin('xandikos');
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:${identity.uid}\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270301T090000Z\r\nX-HOLDFAST-MIRROR:${identity.tag}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
    putObject(world.emulator.world, world.calendar, 'renamed.ics', identity.uid, text, world.emulator.clock.now());
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition', code: 'UID_CONFLICT' });
    // Moved by its user under another name: still found.
    expect(await world.find()).toMatchObject({ ref: `${ref}renamed.ics`, item: { provenance: 'own' } });
  });

  it('a mirror that its user moved to another calendar does not make the calendar read-only', async () => {
    const world = begin('cyrus');
    const alice = world.emulator.world.users.get('alice');
    if (alice === undefined) throw new Error('The emulator has no alice');
    const home = addCalendar(world.emulator.world, alice, 'home');
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:${identity.uid}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
    putObject(world.emulator.world, home, 'moved.ics', identity.uid, text, world.emulator.clock.now());
    expect(await refusalOf(world.create())).toMatchObject({ kind: 'precondition', code: 'UID_CONFLICT' });
    expect(await world.find()).toBeNull();
  });

  it.each(['no search', 'a search that finds nothing'])('a renamed mirror is found with %s', async (kind) => {
    const world = begin('faithful', {}, { ...caldavProfiles.zoho });
    const created = await world.create();
    expect(created.ref).toBe(`${ref}${identity.uid}.ics`);
    const object = world.calendar.objects.get(`${identity.uid}.ics`);
    world.calendar.objects.delete(`${identity.uid}.ics`);
    if (object !== undefined)
      world.calendar.objects.set(`${identity.key}.ics`, { ...object, name: `${identity.key}.ics` });
    world.intercept((request, next) =>
      request.body?.includes('calendar-query')
        ? Promise.resolve({
            status: kind === 'no search' ? 501 : 207,
            headers: {},
            body: '<d:multistatus xmlns:d="DAV:"></d:multistatus>',
          })
        : next(),
    );
    expect(await world.find()).toMatchObject({ ref: `${ref}${identity.key}.ics` });
  });
});

describe('successful writes', () => {
  it('a write response without an ETag is followed by a read', async () => {
    const world = begin('faithful', { putTellsEtag: false });
    const written = await world.create();
    expect(written.version).toBe(world.calendar.objects.values().next().value?.etag);
    const updated = await world.provider.updateMirror(ref, written, identity, body, signal());
    expect(updated.version).not.toBe('');
  });

  it('a create answered like an update is verified by a read', async () => {
    const world = begin('sogo');
    await world.create();
    world.emulator.ledger.length = 0;
    const again = await world.create();
    expect(world.emulator.ledger.map((entry) => entry.method)).toEqual(['PUT', 'GET']);
    expect(again.version).toBe(world.calendar.objects.values().next().value?.etag);
    expect(world.calendar.objects.size).toBe(1);
  });

  it('an If-Match is sent without the weak prefix that a proxy added to the ETag', async () => {
    const world = begin();
    world.intercept(async (_, next) => {
      const response = await next();
      const { etag } = response.headers;
      return etag === undefined ? response : { ...response, headers: { ...response.headers, etag: `W/${etag}` } };
    });
    const written = await world.create();
    await world.provider.deleteMirror(ref, written, signal());
    expect(world.calendar.objects.size).toBe(0);
  });

  it('a create takes one request and a name of plain characters', async () => {
    const world = begin();
    const written = await world.create();
    expect(written.ref.slice(ref.length)).toMatch(/^[A-Za-z0-9.-]+$/);
    expect(world.emulator.ledger).toHaveLength(1);
    expect(world.emulator.ledger[0]).toMatchObject({ method: 'PUT', ifNoneMatch: '*', ifMatch: null });
  });
});
