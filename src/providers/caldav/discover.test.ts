import { describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import { discoverAccount } from './discover.ts';
import type { CaldavHttp, CaldavHttpResponse } from './http.ts';
import { type CaldavProfile, caldavProfiles } from './profiles.ts';

type Site = Record<string, string | Partial<CaldavHttpResponse> | undefined>;

/** A site by URL; what is not there is a 404. A string is the inside of a multistatus. */
function visit(site: Site, address: string, profile: CaldavProfile = caldavProfiles.generic) {
  const asked: string[] = [];
  const http: CaldavHttp = ({ method, url, headers }) => {
    asked.push(`${method} ${url} ${headers.depth}${headers.authorization === undefined ? ' anonymous' : ''}`);
    const found = site[url];
    if (found === undefined) return Promise.resolve({ status: 404, headers: {}, body: '' });
    if (typeof found !== 'string') return Promise.resolve({ status: 200, headers: {}, body: '', ...found });
    const body = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:ical="http://apple.com/ns/ical/">${found}</d:multistatus>`;
    return Promise.resolve({ status: 207, headers: { 'content-type': 'application/xml' }, body });
  };
  const found = discoverAccount({
    address,
    username: 'alice',
    password: 'secret',
    profile,
    http,
    signal: AbortSignal.timeout(5_000),
  });
  return { asked, found };
}

const response = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const principal = (href: string) => `<d:current-user-principal><d:href>${href}</d:href></d:current-user-principal>`;
const home = (...hrefs: string[]) =>
  `<c:calendar-home-set>${hrefs.map((href) => `<d:href>${href}</d:href>`).join('')}</c:calendar-home-set>`;
const isCalendar = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
const calendar = (href: string, more = '') => response(href, isCalendar + more);

const example = (base: string): Site => ({
  [`${base}/dav/`]: response('/dav/', principal('/dav/p/alice/')),
  [`${base}/dav/p/alice/`]: response(
    '/dav/p/alice/',
    `${home('/dav/c/alice/')}<c:calendar-user-address-set><d:href>mailto:Alice%2Bx@Example.org</d:href><d:href>/dav/p/alice/</d:href><d:href>urn:uuid:1</d:href></c:calendar-user-address-set>`,
  ),
  [`${base}/dav/c/alice/`]:
    response('/dav/c/alice/', '<d:resourcetype><d:collection/></d:resourcetype>') + calendar('/dav/c/alice/work/'),
});

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

describe('account discovery', () => {
  const refs = ['/dav/c/alice/work/'];
  const base = 'https://cal.example';

  it.each([
    ['the very address', 'https://cal.example/dav/'],
    ['an address without a scheme', 'cal.example/dav/'],
    ['a caldavs address', 'caldavs://cal.example/dav/'],
    ['a host behind a well-known redirect', 'cal.example'],
    ['an e-mail address', 'alice@cal.example'],
  ])('an account is found from %s', async (_, address) => {
    const site = { ...example(base), [`${base}/.well-known/caldav`]: { status: 302, headers: { location: '/dav/' } } };
    const account = await visit(site, address).found;
    expect(account.calendars.map((found) => found.ref)).toEqual(refs);
    expect(account.baseUrl).toBe('https://cal.example/dav/');
    expect(account.addresses).toEqual(['alice+x@example.org']);
  });

  it('an account is found at a common path when the server points nowhere', async () => {
    const site = example(base);
    const account = await visit(site, 'https://cal.example/').found;
    expect(account.calendars.map((found) => found.ref)).toEqual(refs);
  });

  it('an account on a subdomain is found, and the subdomain becomes its base URL', async () => {
    const below = 'https://dav.cal.example';
    const site = {
      ...example(below),
      [`${base}/.well-known/caldav`]: { status: 301, headers: { location: `${below}/dav/` } },
    };
    const account = await visit(site, 'alice@cal.example').found;
    expect(account.baseUrl).toBe('https://dav.cal.example/dav/');
    expect(account.calendars.map((found) => found.ref)).toEqual(refs);
  });

  it('an iCloud account is found although its calendars are on another host', async () => {
    const site: Site = {
      'https://caldav.icloud.com/': response('/', principal('/123/principal/')),
      'https://caldav.icloud.com/123/principal/': response(
        '/123/principal/',
        home('https://p42-caldav.icloud.com:443/123/calendars/'),
      ),
      'https://p42-caldav.icloud.com/123/calendars/':
        calendar('/123/calendars/home/') + calendar('/123/calendars/a%20b/'),
    };
    for (const address of ['someone@me.com', '', 'https://caldav.icloud.com']) {
      const profile = address === '' ? caldavProfiles.icloud : caldavProfiles.generic;
      const account = await visit(site, address, profile).found;
      expect(account.profile.name).toBe('icloud');
      expect(account.calendars.map((found) => found.ref)).toEqual([
        'https://p42-caldav.icloud.com/123/calendars/home/',
        'https://p42-caldav.icloud.com/123/calendars/a%20b/',
      ]);
    }
  });

  it('a Nextcloud account is found from the URL in the browser', async () => {
    const site: Site = {
      'https://cloud.example/nc/remote.php/dav/': response(
        '/nc/remote.php/dav/',
        principal('/nc/remote.php/dav/principals/users/alice/'),
      ),
      'https://cloud.example/nc/remote.php/dav/principals/users/alice/': response(
        'x',
        home('/nc/remote.php/dav/calendars/alice/'),
      ),
      'https://cloud.example/nc/remote.php/dav/calendars/alice/': calendar(
        '/nc/remote.php/dav/calendars/alice/personal/',
      ),
    };
    const account = await visit(site, 'https://cloud.example/nc/index.php/apps/dashboard/', caldavProfiles.nextcloud)
      .found;
    expect(account.calendars).toMatchObject([{ ref: '/nc/remote.php/dav/calendars/alice/personal/', primary: true }]);
  });

  it('a single calendar is found at its own URL', async () => {
    const site: Site = { 'https://cal.example/shared/team/': calendar('/shared/team/') };
    expect((await visit(site, 'https://cal.example/shared/team/').found).calendars).toMatchObject([
      { ref: '/shared/team/', name: 'team' },
    ]);
  });

  it('an account with several calendar homes has each calendar once', async () => {
    const site = {
      ...example(base),
      'https://cal.example/dav/p/alice/': response('x', home('/dav/c/alice/', '/dav/c/team/', '/dav/c/alice/')),
      'https://cal.example/dav/c/team/': calendar('/dav/c/team/plan/'),
    };
    const account = await visit(site, 'https://cal.example/dav/').found;
    expect(account.calendars.map((found) => found.ref)).toEqual(['/dav/c/alice/work/', '/dav/c/team/plan/']);
  });
});

describe('calendar properties', () => {
  const list = async (inside: string) => {
    const site = { ...example('https://cal.example'), 'https://cal.example/dav/c/alice/': inside };
    return (await visit(site, 'https://cal.example/dav/').found).calendars;
  };

  it('a collection that cannot hold events is not listed', async () => {
    const only = (component: string) =>
      `<c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set>`;
    const found = await list(
      calendar('/a/events/', only('VEVENT')) +
        calendar('/a/tasks/', only('VTODO')) +
        calendar('/a/silent/') +
        response('/a/inbox/', '<d:resourcetype><d:collection/><c:schedule-inbox/></d:resourcetype>') +
        response('/a/personal/', '<d:resourcetype><d:collection/><c:calendar/><c:schedule-outbox/></d:resourcetype>'),
    );
    expect(found.map((each) => each.ref)).toEqual(['/a/events/', '/a/silent/', '/a/personal/']);
    expect(found.find((each) => each.primary)?.ref).toBe('/a/personal/');
  });

  it("a calendar's name, color and time zone are read, and invalid ones ignored", async () => {
    const [odd, plain] = await list(
      calendar(
        '/a/x/',
        '<d:displayname>Arbeit &amp; mehr</d:displayname><ical:calendar-color>#FF8800FF</ical:calendar-color>' +
          '<c:calendar-timezone>BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Vienna\r\nEND:VTIMEZONE</c:calendar-timezone>',
      ) +
        calendar(
          '/a/y%20z/',
          '<ical:calendar-color>red</ical:calendar-color><c:calendar-timezone>TZID:Not/AZone</c:calendar-timezone>',
        ),
    );
    expect(odd).toMatchObject({ name: 'Arbeit & mehr', color: '#ff8800', zone: 'Europe/Vienna' });
    expect(plain).toEqual({ ref: '/a/y z/', name: 'y z', writable: true, primary: false });
  });

  // quadratic work would take minutes for it
  it('a time zone of a megabyte whose line separators are no line breaks has no zone, and is read at once', async () => {
    const text = `TZID;${'TZID;\u2028'.repeat(200_000)}`;
    const found = await list(calendar('/a/x/', `<c:calendar-timezone>${text}</c:calendar-timezone>`));
    expect(found).toEqual([{ ref: '/a/x/', name: 'x', writable: true, primary: true }]);
  });

  it('a calendar without write privileges is not writable', async () => {
    const may = (...rights: string[]) =>
      `<d:current-user-privilege-set>${rights.map((right) => `<d:privilege><d:${right}/></d:privilege>`).join('')}</d:current-user-privilege-set>`;
    const found = await list(
      calendar('/a/r/', may('read', 'read-acl')) +
        calendar('/a/w/', may('read', 'write')) +
        calendar('/a/all/', may('all')),
    );
    expect(found.map((each) => each.writable)).toEqual([false, true, true]);
    expect(found.map((each) => each.primary)).toEqual([false, true, false]);
  });
});

describe('server addresses', () => {
  it.each([
    ['', 'INVALID_ADDRESS'],
    ['ftp://cal.example/', 'INVALID_ADDRESS'],
    ['https://', 'INVALID_ADDRESS'],
    ['http://cal.example/', 'INSECURE_ADDRESS'],
    ['http://93.184.216.34/', 'INSECURE_ADDRESS'],
    ['http://[2606:2800:220:1::1]/', 'INSECURE_ADDRESS'],
  ])('the address %j is refused before any request', async (address, code) => {
    const { asked, found } = visit({}, address);
    expect(await refusalOf(found)).toMatchObject({ kind: 'rejected', code });
    expect(asked).toEqual([]);
  });

  it.each([
    'http://127.0.0.1:5232/',
    'http://[::1]:5232/',
    'http://nas:5232/',
    'http://davmail.lan:1080/',
    'http://192.168.1.4/',
  ])('the private address %s may do without TLS', async (address) => {
    const site: Site = { [new URL(address).href]: calendar('/') };
    expect((await visit(site, address).found).calendars).toHaveLength(1);
  });

  it('a password inside the address is never sent', async () => {
    const { asked, found } = visit(example('https://cal.example'), 'https://bob:hunter2@cal.example/dav/');
    await found;
    expect(asked.join()).not.toContain('hunter2');
  });
});

describe('failed discovery', () => {
  it('a site without CalDAV is refused with a hint to check the address', async () => {
    const refused = await refusalOf(visit({}, 'https://cal.example/').found);
    expect(refused).toMatchObject({ kind: 'transient', code: 'NOT_CALDAV' });
    expect(refused.message).toContain('Check the address');
  });

  it('a sign-in page is refused as a sign-in page', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' };
    const refused = await refusalOf(visit({ 'https://cal.example/': page }, 'https://cal.example/').found);
    expect(refused).toMatchObject({ kind: 'transient', code: 'LOGIN_PAGE' });
  });

  it('a redirect to another site is refused with the name of that site', async () => {
    const away = { status: 301, headers: { location: 'https://caldav.provider.example/' } };
    const { asked, found } = visit({ 'https://cal.example/.well-known/caldav': away }, 'alice@cal.example');
    const refused = await refusalOf(found);
    expect(refused).toMatchObject({ kind: 'rejected', code: 'OTHER_SITE' });
    expect(refused.message).toContain('enter caldav.provider.example as the address');
    expect(asked.some((line) => line.includes('provider.example'))).toBe(false);
  });

  it('CVE-2026-75583: a calendar home on another site never gets the password', async () => {
    const site = {
      ...example('https://cal.example'),
      'https://cal.example/dav/p/alice/': response('x', home('https://evil.example/c/')),
    };
    const { asked, found } = visit(site, 'https://cal.example/dav/');
    expect(await refusalOf(found)).toMatchObject({ code: 'OTHER_SITE' });
    expect(asked.some((line) => line.includes('evil.example'))).toBe(false);
  });
});

describe('accounts that ask for too much', () => {
  const base = 'https://cal.example';
  const withAddresses = (addresses: string[]): Site => ({
    ...example(base),
    [`${base}/dav/p/alice/`]: response(
      '/dav/p/alice/',
      `${home('/dav/c/alice/')}<c:calendar-user-address-set>${addresses
        .map((address) => `<d:href>mailto:${address}</d:href>`)
        .join('')}</c:calendar-user-address-set>`,
    ),
  });

  it('of an account with 3,000 addresses the first hundred are kept, and none that is longer than an address', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `a${n}@x.example`);
    const { addresses } = await visit(withAddresses([`${'a'.repeat(9_000)}@x.example`, ...many]), `${base}/dav/`).found;
    expect(addresses).toEqual(many.slice(0, 100));
  });

  it('an account with 237,500 addresses is refused', async () => {
    const many = Array.from({ length: 237_500 }, (_, n) => `a${n}@x.example`);
    const { found } = visit(withAddresses(many), `${base}/dav/`);
    expect(await refusalOf(found)).toMatchObject({ code: 'TOO_LARGE' });
  });

  it('all paths that are tried for an account have one budget', async () => {
    const text = `<d:displayname>${'x'.repeat(1_400_000)}</d:displayname>`;
    const long = response('/', text.repeat(3));
    const paths = ['/', '/.well-known/caldav', '/remote.php/dav/', '/SOGo/dav/', '/caldav.php/', '/dav.php/', '/dav/'];
    const { asked, found } = visit(Object.fromEntries(paths.map((path) => [base + path, long])), base);
    expect(await refusalOf(found)).toMatchObject({ code: 'TOO_LARGE' });
    expect(asked).toHaveLength(3);
  });
});
