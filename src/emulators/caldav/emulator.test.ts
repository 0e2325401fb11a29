import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../kit/clock.ts';
import type { Outcome } from '../kit/emulator.ts';
import type { Reply } from '../kit/exchange.ts';
import { commandsOf } from './commands.ts';
import { type CaldavEmulator, createCaldav } from './emulator.ts';
import { generateCalendar } from './generate-calendar.ts';
import type { QuirkProfile } from './quirks.ts';

/** The contract of the emulator, each row with the document that asks for it. */

const LOGIN = `Basic ${Buffer.from('alice:secret').toString('base64')}`;
const WORK = '/calendars/alice/work/';
const AT_MS = Temporal.Instant.from('2026-11-20T12:00:00Z').epochMilliseconds;

let emulator: CaldavEmulator;

function begin(profile: QuirkProfile = 'faithful'): void {
  ({ emulator } = createCaldav(createClock(AT_MS), profile));
  control('seed', { user: 'alice', calendar: 'work', displayName: 'Work & more', color: '#00ff00' });
  control('seed', { user: 'bob', calendar: 'home' });
}
beforeEach(() => begin());

function control(what: 'seed' | 'act', ...commands: object[]): void {
  for (const command of commands) commandsOf(emulator)[what](command);
}

function outcomeOf(method: string, path: string, body = '', headers: Record<string, string> = {}): Outcome {
  const isDepthless = method !== 'PROPFIND' || 'depth' in headers;
  const all = { authorization: LOGIN, ...(isDepthless ? {} : { depth: '0' }), ...headers };
  return emulator.receive({ method, path, query: '', headers: all, body });
}

function ask(method: string, path: string, body = '', headers: Record<string, string> = {}): Reply {
  const outcome = outcomeOf(method, path, body, headers);
  if (outcome.kind !== 'reply') throw new Error(`no reply but ${outcome.kind}`);
  return outcome.reply;
}

function event(uid: string, more = ''): string {
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261201T090000Z\r\nDTEND:20261201T100000Z\r\n${more}END:VEVENT\r\nEND:VCALENDAR\r\n`;
}

const put = (name: string, text = event(name), headers: Record<string, string> = {}) =>
  ask('PUT', `${WORK}${name}.ics`, text, headers);

function sync(token = '', extra = '', headers: Record<string, string> = {}) {
  const body = `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>${extra}</D:sync-collection>`;
  const reply = ask('REPORT', WORK, body, headers);
  return {
    reply,
    token: /<D:sync-token>(.*)<\/D:sync-token>/.exec(reply.body)?.[1] ?? '',
    changed: [...reply.body.matchAll(/<D:href>([^<]+)<\/D:href><D:propstat>/g)].map((match) => match[1]),
    gone: [...reply.body.matchAll(/<D:href>([^<]+)<\/D:href><D:status>HTTP\/1.1 404/g)].map((match) => match[1]),
  };
}

const props = (...names: string[]) =>
  `<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>${names.map((name) => `<${name}/>`).join('')}</D:prop></D:propfind>`;

describe('CalDAV discovery', () => {
  it('the well-known address redirects before any login (RFC 6764, 5)', () => {
    const outcome = emulator.receive({
      method: 'PROPFIND',
      path: '/.well-known/caldav',
      query: '',
      headers: {},
      body: '',
    });
    expect(outcome).toMatchObject({ kind: 'reply', reply: { status: 301, headers: { location: '/' } } });
  });

  it.each([
    ['no login', undefined],
    ['a wrong password', `Basic ${Buffer.from('alice:wrong').toString('base64')}`],
    ['another scheme', 'Bearer secret'],
  ])('a request with %s is asked for Basic authentication (RFC 7617, 2)', (_, authorization) => {
    const headers = { depth: '0', ...(authorization ? { authorization } : {}) };
    const outcome = emulator.receive({ method: 'PROPFIND', path: '/', query: '', headers, body: '' });
    expect(outcome).toMatchObject({
      reply: { status: 401, headers: { 'www-authenticate': expect.stringContaining('Basic') } },
    });
  });

  it('any resource leads to the principal, and the principal to the calendar home (RFC 5397, 3; RFC 4791, 6.2.1)', () => {
    expect(ask('PROPFIND', '/', props('D:current-user-principal')).body).toContain(
      '<D:href>/principals/alice/</D:href>',
    );
    const principal = ask(
      'PROPFIND',
      '/principals/alice/',
      props('C:calendar-home-set', 'C:calendar-user-address-set'),
    );
    expect(principal.body).toContain('<C:calendar-home-set><D:href>/calendars/alice/</D:href></C:calendar-home-set>');
    expect(principal.body).toContain('mailto:alice@example.com');
  });

  it('a PROPFIND of the home lists calendars at depth 1 only, with escaped names (RFC 4918, 9.1; RFC 4791, 4.2)', () => {
    const deep = ask('PROPFIND', '/calendars/alice/', props('D:resourcetype', 'D:displayname'), { depth: '1' }).body;
    expect(deep).toContain('<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>');
    expect(deep).toContain('<D:displayname>Work &amp; more</D:displayname>');
    expect(ask('PROPFIND', '/calendars/alice/', props('D:resourcetype')).body).not.toContain('C:calendar/');
  });

  it('a missing property is reported under 404 unless Prefer asks for less (RFC 4918, 9.1.1; RFC 8144, 2.1)', () => {
    const full = ask('PROPFIND', WORK, props('D:displayname', 'D:quota-used-bytes')).body;
    expect(full).toMatch(/<D:prop><D:quota-used-bytes\/><\/D:prop><D:status>HTTP\/1.1 404/);
    const brief = ask('PROPFIND', WORK, props('D:displayname', 'D:quota-used-bytes'), {
      prefer: 'return=minimal',
    }).body;
    expect(brief).not.toContain('404');
  });

  it('a PROPFIND of infinite depth and a body with a DTD are refused (RFC 4918, 9.1.1 and 20.6)', () => {
    const infinite = ask('PROPFIND', '/', '', { depth: 'infinity' });
    expect([infinite.status, infinite.body]).toEqual([403, expect.stringContaining('propfind-finite-depth')]);
    expect(ask('PROPFIND', '/', `<!DOCTYPE a [<!ENTITY b "c">]>${props('D:displayname')}`).status).toBe(400);
  });

  it("a user cannot see another user's calendars", () => {
    expect(ask('PROPFIND', '/calendars/bob/home/').status).toBe(403);
    expect(ask('PROPFIND', '/calendars/nobody/').status).toBe(404);
  });

  it("a calendar reports the user's privileges, and a read-only calendar refuses writes (RFC 3744, 5.4)", () => {
    expect(ask('PROPFIND', WORK, props('D:current-user-privilege-set')).body).toContain('<D:write-content/>');
    control('act', { user: 'alice', calendar: 'work', do: 'change', readOnly: true });
    expect(ask('PROPFIND', WORK, props('D:current-user-privilege-set')).body).not.toContain('write');
    expect(put('a').body).toContain('need-privileges');
  });
});

describe('calendar objects', () => {
  it('a stored object is read back unchanged, and every write gives it a new ETag (RFC 4791, 5.3.2; RFC 9110, 8.8.3)', () => {
    const created = put('a');
    expect(created.status).toBe(201);
    const read = ask('GET', `${WORK}a.ics`);
    expect(read).toMatchObject({ status: 200, body: event('a'), headers: { etag: created.headers.etag } });
    expect(put('a', event('a', 'SUMMARY:b\r\n')).status).toBe(204);
    expect(ask('GET', `${WORK}a.ics`).headers.etag).not.toBe(created.headers.etag);
  });

  it('a PUT with If-None-Match: * creates an object and never overwrites one (RFC 9110, 13.1.2)', () => {
    expect(put('a', event('a'), { 'if-none-match': '*' }).status).toBe(201);
    expect(put('a', event('a', 'SUMMARY:b\r\n'), { 'if-none-match': '*' }).status).toBe(412);
    expect(ask('GET', `${WORK}a.ics`).body).toBe(event('a'));
  });

  it.each(['PUT', 'DELETE'])('a stale If-Match refuses a %s and leaves the object (RFC 9110, 13.1.1)', (method) => {
    const stale = put('a').headers.etag!;
    const current = put('a', event('a', 'SUMMARY:b\r\n')).headers.etag!;
    expect(ask(method, `${WORK}a.ics`, event('a'), { 'if-match': stale }).status).toBe(412);
    expect(ask('GET', `${WORK}a.ics`).headers.etag).toBe(current);
    expect(ask(method, `${WORK}a.ics`, event('a'), { 'if-match': current }).status).toBe(204);
  });

  it('a PUT with If-Match is refused where no object exists (RFC 9110, 13.1.1)', () => {
    expect(put('a', event('a'), { 'if-match': '"x"' }).status).toBe(412);
    expect(ask('GET', `${WORK}a.ics`).status).toBe(404);
  });

  it('a UID in use is refused with the href of its object, and free again after a DELETE (RFC 4791, 5.3.2.1)', () => {
    put('a', event('same'));
    const clash = put('b', event('same'));
    expect([clash.status, clash.body]).toEqual([
      409,
      expect.stringContaining(`<C:no-uid-conflict><D:href>${WORK}a.ics`),
    ]);
    ask('DELETE', `${WORK}a.ics`);
    expect(put('b', event('same')).status).toBe(201);
  });

  it.each([
    ['no calendar', 'hello', 'valid-calendar-data'],
    ['a login page', '<html></html>', 'valid-calendar-data'],
    ['an open component', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n', 'valid-calendar-data'],
    ['an empty calendar', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n', 'valid-calendar-data'],
    ['no DTSTART', event('a').replace(/DTSTART.*\r\n/, ''), 'valid-calendar-data'],
    ['no UID', event('a').replace(/UID.*\r\n/, ''), 'valid-calendar-data'],
    ['a METHOD', event('a').replace('VERSION', 'METHOD:REQUEST\r\nVERSION'), 'valid-calendar-object-resource'],
    ['a task', event('a').replaceAll('VEVENT', 'VTODO'), 'supported-calendar-component'],
    [
      'two UIDs',
      event('a').replace(
        'END:VCAL',
        `${event('b')
          .split(/EN\r\n/)[1]!
          .replace('END:VCALENDAR\r\n', '')}END:VCAL`,
      ),
      'valid-calendar-object-resource',
    ],
  ])('a PUT of %s is refused with the name of the broken precondition (RFC 4791, 5.3.2.1)', (_, text, condition) => {
    const refused = put('a', text);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(condition)]);
    expect(ask('GET', `${WORK}a.ics`).status).toBe(404);
  });

  it('a series with its overrides and folded lines is stored as one object (RFC 4791, 4.1; RFC 5545, 3.1)', () => {
    const series = generateCalendar({ count: 20, fromDay: '2027-01-04' })[19]!;
    expect(series.body.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(put('s', series.body.replace('UID:event-', 'UID:eve\r\n nt-')).status).toBe(201);
  });

  it('a full calendar refuses new objects and accepts updates (RFC 4331, 6)', () => {
    control('act', { user: 'alice', calendar: 'work', do: 'change', maxObjects: 1 });
    put('a');
    const refused = put('b');
    expect([refused.status, refused.body]).toEqual([507, expect.stringContaining('quota-not-exceeded')]);
    expect(put('a', event('a', 'SUMMARY:b\r\n')).status).toBe(204);
  });

  it('a PUT into a missing collection is refused (RFC 4918, 9.7.1)', () => {
    expect(ask('PUT', '/calendars/alice/none/a.ics', event('a')).status).toBe(409);
  });

  it('MKCALENDAR creates a calendar with its name, and refuses to create it twice (RFC 4791, 5.3.1)', () => {
    const body =
      '<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:set><D:prop><D:displayname>New</D:displayname></D:prop></D:set></C:mkcalendar>';
    expect(ask('MKCALENDAR', '/calendars/alice/new/', body).status).toBe(201);
    expect(ask('PROPFIND', '/calendars/alice/new/', props('D:displayname')).body).toContain('>New<');
    expect(ask('MKCALENDAR', '/calendars/alice/new/', body).body).toContain('resource-must-be-null');
  });

  it('an object is found by its percent-decoded path (RFC 3986, 2.1; RFC 4918, 8.3)', () => {
    ask('PUT', `${WORK}a%20b%40c.ics`, event('a'));
    expect(sync().changed).toEqual([`${WORK}a%20b%40c.ics`]);
    const body = `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop><D:href>http://host:1${WORK}a%20b@c.ics</D:href></C:calendar-multiget>`;
    expect(ask('REPORT', WORK, body).body).toContain('<D:getetag>');
  });
});

describe('CalDAV reports', () => {
  it('a first sync-collection lists every object, and the next one only the changes (RFC 6578, 3.4 and 3.5)', () => {
    put('a');
    put('b');
    const first = sync();
    expect(first.changed).toEqual([`${WORK}a.ics`, `${WORK}b.ics`]);
    expect(sync(first.token)).toMatchObject({ changed: [], gone: [], token: first.token });
    put('a', event('a', 'SUMMARY:x\r\n'));
    ask('DELETE', `${WORK}b.ics`);
    put('c');
    const second = sync(first.token);
    expect(second).toMatchObject({ changed: [`${WORK}a.ics`, `${WORK}c.ics`], gone: [`${WORK}b.ics`] });
    expect(sync(second.token)).toMatchObject({ changed: [], gone: [] });
  });

  it('a first sync-collection does not list deleted objects (RFC 6578, 3.4)', () => {
    put('a');
    ask('DELETE', `${WORK}a.ics`);
    expect(sync()).toMatchObject({ changed: [], gone: [] });
  });

  it.each(['expire-tokens', 'recreate-calendar'])('a sync token is refused after %s (RFC 6578, 3.2)', (act) => {
    put('a');
    const { token } = sync();
    control('act', { user: 'alice', calendar: 'work', do: act });
    const refused = sync(token).reply;
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('valid-sync-token')]);
    expect(sync().changed).toEqual([`${WORK}a.ics`]);
    expect(sync(sync().token).reply.status).toBe(207);
  });

  it.each(['nonsense', 'http://emulator.invalid/ns/sync/1-99'])('sync token %s is refused (RFC 6578, 3.2)', (token) => {
    expect(sync(token).reply.status).toBe(403);
  });

  it('a sync-collection over its limit is cut with 507 and continues from its token (RFC 6578, 3.6 and 3.7)', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) put(name);
    const limit = '<D:limit><D:nresults>2</D:nresults></D:limit>';
    const seen: unknown[] = [];
    let token = '';
    for (let round = 0; round < 3; round += 1) {
      const part = sync(token, limit);
      seen.push(...part.changed);
      token = part.token;
      expect(part.reply.body.includes('507 Insufficient Storage')).toBe(round < 2);
      if (round === 0) put('a', event('a', 'SUMMARY:later\r\n'));
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'a'].map((name) => `${WORK}${name}.ics`));
  });

  it('a sync-collection needs depth 0 and a sync level (RFC 6578, 3.2 and 6.3)', () => {
    expect(sync('', '', { depth: '1' }).reply.status).toBe(400);
    const bare = '<D:sync-collection xmlns:D="DAV:"><D:sync-token/><D:prop><D:getetag/></D:prop></D:sync-collection>';
    expect(ask('REPORT', WORK, bare).status).toBe(400);
  });

  it('a calendar-multiget returns the named objects, and 404 for missing ones (RFC 4791, 7.9)', () => {
    put('a', event('a', 'SUMMARY:R&D <x>\r\n'));
    const body = `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/><C:calendar-data/></D:prop><D:href>${WORK}a.ics</D:href><D:href>${WORK}b.ics</D:href><D:href>/calendars/bob/home/x.ics</D:href></C:calendar-multiget>`;
    const reply = ask('REPORT', WORK, body).body;
    expect(reply).toContain('SUMMARY:R&amp;D &lt;x&gt;');
    expect(reply.match(/404 Not Found/g)).toHaveLength(2);
  });

  it('an unknown filter or report is refused (RFC 4791, 7.8; RFC 3253, 3.6)', () => {
    const query = (filter: string) =>
      `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`;
    put('a');
    expect(ask('REPORT', WORK, query('')).body).toContain('a.ics');
    expect(ask('REPORT', WORK, query('<C:time-range start="20260101T000000Z"/>')).body).toContain('supported-filter');
    expect(ask('REPORT', WORK, '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"/>').body).toContain(
      'supported-report',
    );
  });

  it('a sync-collection without changes reads none of 20,000 objects', () => {
    control('seed', { user: 'alice', calendar: 'work', generate: { count: 20_000, fromDay: '2027-01-04' } });
    const { token } = sync();
    const calendar = emulator.world.users.get('alice')!.calendars.get('work')!;
    calendar.objects.get = () => {
      throw new Error('read an object');
    };
    expect(sync(token)).toMatchObject({ changed: [], gone: [], reply: { status: 207 } });
  });
});

describe('quirks of real servers (measured, see quirks.ts)', () => {
  it.each([
    ['radicale', 201, 200],
    ['xandikos', 204, 204],
    ['davical', 204, 204],
    ['sogo', 204, 204],
    ['cyrus', 204, 204],
  ] as const)('%s answers an update with %i and a deletion with %i', (profile, updated, deleted) => {
    begin(profile);
    put('a');
    expect(put('a', event('a', 'SUMMARY:b\r\n')).status).toBe(updated);
    expect(ask('DELETE', `${WORK}a.ics`).status).toBe(deleted);
  });

  it('SOGo ignores If-None-Match and If-Match on PUT and a stale If-Match on DELETE', () => {
    begin('sogo');
    put('a');
    expect(put('a', event('a', 'SUMMARY:b\r\n'), { 'if-none-match': '*' }).status).toBe(204);
    expect(put('b', event('b'), { 'if-match': '"x"' }).status).toBe(201);
    expect(ask('DELETE', `${WORK}a.ics`, '', { 'if-match': '"x"' }).status).toBe(204);
  });

  it('SOGo gives a re-created object its old ETag, and leaves @ unescaped in hrefs', () => {
    begin('sogo');
    const first = put('a@b', event('a')).headers.etag;
    ask('DELETE', `${WORK}a@b.ics`);
    expect(put('a@b', event('a', 'SUMMARY:other\r\n')).headers.etag).toBe(first);
    expect(sync().changed).toEqual([`${WORK}a@b.ics`]);
  });

  it('SOGo repeats changes made in the same second as the sync token', () => {
    begin('sogo');
    put('a');
    const { token } = sync();
    expect(sync(token).changed).toEqual([`${WORK}a.ics`]);
    emulator.clock.advance(2_000);
    put('b');
    const later = sync(token).token;
    expect(sync(later).changed).toEqual([`${WORK}b.ics`]);
  });

  it('Xandikos reports a UID conflict and bad data inside a 207, needs no login, and fails on an old token', () => {
    begin('xandikos');
    put('a', event('same'));
    expect(put('b', event('same'))).toMatchObject({ status: 207, body: expect.stringContaining('no-uid-conflict') });
    expect(put('c', 'hello')).toMatchObject({ status: 207, body: expect.stringContaining('valid-calendar-data') });
    expect(ask('GET', `${WORK}b.ics`, '', { authorization: '' }).status).toBe(404);
    expect(sync('nonsense').reply.status).toBe(500);
  });

  it('DAViCal accepts a UID twice, omits missing objects in a multiget, and restarts an unknown token without tombstones', () => {
    begin('davical');
    put('a', event('same'));
    expect(put('b', event('same')).status).toBe(201);
    ask('DELETE', `${WORK}b.ics`);
    const body = `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop><D:href>${WORK}b.ics</D:href></C:calendar-multiget>`;
    expect(ask('REPORT', WORK, body).body).not.toContain('D:response');
    expect(sync('nonsense')).toMatchObject({ changed: [`${WORK}a.ics`], gone: [] });
  });

  it('DAViCal answers the token of a re-created collection with no changes', () => {
    begin('davical');
    put('a');
    const { token } = sync();
    control('act', { user: 'alice', calendar: 'work', do: 'recreate-calendar' });
    expect(sync(token)).toMatchObject({ changed: [], gone: [], reply: { status: 207 } });
  });

  it('Cyrus refuses a UID that another calendar of the user has, and says so with 403 (RFC 6638, 3.2.4.1)', () => {
    begin('cyrus');
    control('seed', { user: 'alice', calendar: 'home' });
    put('a', event('same'));
    const clash = ask('PUT', '/calendars/alice/home/b.ics', event('same'));
    expect(clash.status).toBe(403);
    expect(clash.body).toContain(`<C:unique-scheduling-object-resource><D:href>${WORK}a.ics`);
    expect(put('a', event('other'))).toMatchObject({ status: 403, body: expect.stringContaining('no-uid-conflict') });
    expect(put('c', 'hello')).toMatchObject({ status: 403, body: expect.stringContaining('valid-calendar-data') });
    ask('DELETE', `${WORK}a.ics`);
    expect(ask('PUT', '/calendars/alice/home/b.ics', event('same')).status).toBe(201);
  });

  it('Radicale lists deleted objects in a first sync, refuses a new UID in an old object, and reorders properties', () => {
    begin('radicale');
    put('a', event('a').replace(/(VERSION.*\r\n)(PRODID.*\r\n)/, '$2$1'));
    expect(ask('GET', `${WORK}a.ics`).body).toBe(event('a'));
    expect(put('a', event('other')).status).toBe(409);
    ask('DELETE', `${WORK}a.ics`);
    expect(sync().gone).toEqual([`${WORK}a.ics`]);
  });
});

describe('faults, parked requests and the request log', () => {
  it('a fault hits the nth matching request as often as configured, and no other', () => {
    emulator.addFault({ op: 'put', nth: 2, times: 2, effect: { kind: 'status', status: 429, retryAfter: '7' } });
    expect(ask('PROPFIND', WORK).status).toBe(207);
    expect(['a', 'b', 'c', 'd'].map((name) => put(name).status)).toEqual([201, 429, 429, 201]);
    expect(emulator.ledger.find(({ fault }) => fault)).toMatchObject({
      operation: 'create',
      status: 429,
      applied: false,
    });
  });

  it.each([
    ['before', 404, false],
    ['after', 200, true],
  ] as const)('an object whose PUT is cut off %s it is applied answers %i', (phase, status, applied) => {
    emulator.addFault({ op: 'create', phase, effect: { kind: 'reset' } });
    expect(outcomeOf('PUT', `${WORK}a.ics`, event('a'))).toEqual({ kind: 'reset' });
    expect(ask('GET', `${WORK}a.ics`).status).toBe(status);
    expect(emulator.ledger[0]).toMatchObject({ applied, fault: 'reset' });
  });

  it.each(['login-page', 'stall'] as const)('a fault can answer with a %s', (kind) => {
    emulator.addFault({ effect: { kind } });
    expect(outcomeOf('GET', `${WORK}a.ics`).kind).toBe(kind === 'stall' ? 'stall' : 'reply');
  });

  it.each([
    ['answer', 'reply', 200],
    ['apply-and-reset', 'reset', 200],
    ['drop', 'reset', 404],
  ] as const)('a parked request can be released with "%s"', (how, outcome, after) => {
    emulator.addFault({ op: 'create', effect: { kind: 'hold' } });
    const held = outcomeOf('PUT', `${WORK}a.ics`, event('a'));
    if (held.kind !== 'held') throw new Error(held.kind);
    expect(emulator.world.users.get('alice')!.calendars.get('work')!.objects.size).toBe(0);
    expect(held.hold.release(how).kind).toBe(outcome);
    expect(ask('GET', `${WORK}a.ics`).status).toBe(after);
  });

  it('a simulated edit in another client moves, retitles and deletes events', () => {
    control('seed', { user: 'alice', calendar: 'work', objects: [{ name: 'a.ics', body: event('a') }] });
    const { token } = sync();
    control(
      'act',
      { user: 'alice', calendar: 'work', do: 'move', pick: 'a', minutes: 90 },
      { user: 'alice', calendar: 'work', do: 'retitle', pick: 0, title: 'New title' },
    );
    const { body } = ask('GET', `${WORK}a.ics`);
    expect(body).toContain('DTSTART:20261201T103000Z\r\nDTEND:20261201T113000Z');
    expect(body).toContain('SUMMARY:New title\r\n');
    expect(body).toContain('SEQUENCE:2\r\n');
    control('act', { user: 'alice', calendar: 'work', do: 'delete', pick: 'a.ics' });
    expect(sync(token).gone).toEqual([`${WORK}a.ics`]);
  });
});

describe('generated calendars', () => {
  const objects = generateCalendar({ count: 1_000, fromDay: '2026-11-20', seed: 7 });

  it('a generated calendar depends on its seed only', () => {
    expect(generateCalendar({ count: 1_000, fromDay: '2026-11-20', seed: 7 })).toEqual(objects);
    expect(generateCalendar({ count: 1_000, fromDay: '2026-11-20', seed: 8 })).not.toEqual(objects);
  });

  it('a generated calendar has single events of 1,426 bytes, one series in ten, and lines of at most 75 octets', () => {
    const series = objects.filter(({ body }) => body.includes('RRULE:FREQ=WEEKLY;COUNT=26'));
    expect(series).toHaveLength(100);
    expect(series.filter(({ body }) => body.includes('EXDATE') && body.includes('RECURRENCE-ID'))).toHaveLength(50);
    const singles = objects.filter((object) => !series.includes(object));
    expect(new Set(singles.map(({ body }) => Buffer.byteLength(body)))).toEqual(new Set([1_426]));
    expect(
      Math.max(...objects.flatMap(({ body }) => body.split('\r\n').map((line) => line.length))),
    ).toBeLessThanOrEqual(75);
  });

  it('generated objects are accepted by the server', () => {
    for (const { name, body } of objects.slice(0, 40)) expect(ask('PUT', WORK + name, body).status).toBe(201);
  });
});
