import { isIP } from 'node:net';
import { ProviderError } from '#kernel/errors.ts';
import { normalizeAddress } from '#kernel/ical/ical-text.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { discoveryLimits } from '#kernel/work-limits.ts';
import { canonicalHost, isPublicAddress } from '#platform/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import type { RemoteCalendar } from '../port.ts';
import { tooMuchData } from '../rest/network-failures.ts';
import { notCaldav } from './errors.ts';
import { collectionRef, pathOf, refOf } from './href.ts';
import { type CaldavHttp, createDavClient, type DavClient, withinLimits } from './http.ts';
import { type CaldavProfile, caldavProfiles, findProfile } from './profiles.ts';
import { askCalendars, askHome, askOutbox, askPrincipal } from './requests.ts';
import { childNamed, type DavResponse, hrefsIn, readMultistatus, type XmlNode } from './xml.ts';

/** The account found for an address and a password. */
export interface CaldavAccount {
  /** The address to store: where the principal answered, within the site that the person gave. */
  baseUrl: string;
  profile: CaldavProfile;
  principalUrl: string;
  homeSetUrls: string[];
  /** Mail addresses of the account, lower case, to recognise its owner among attendees; the first hundred. */
  addresses: string[];
  calendars: RemoteCalendar[];
}

export interface DiscoverOptions {
  /** URL, host name or e-mail address. */
  address: string;
  username: string;
  password: string;
  profile: CaldavProfile;
  http: CaldavHttp;
  signal: AbortSignal;
  nowMs?: () => number;
  timeoutMs?: number;
}

/**
 * Finds principal, home sets and calendars from an address or an e-mail. All that is tried has one budget.
 *
 * Errors: ProviderError auth `WRONG_PASSWORD`; transient `UNREACHABLE`, `TLS`, `LOGIN_PAGE`, `NOT_CALDAV`, `TOO_LARGE`;
 * rejected `OTHER_SITE`, `INVALID_ADDRESS`. Source: RFC 6764 6, RFC 5397, RFC 4791 6.2.1.
 */
export async function discoverAccount(options: DiscoverOptions): Promise<CaldavAccount> {
  const { start, profile } = readAddress(options.address, options.profile);
  const base = { ...options, profile, nowMs: options.nowMs ?? systemClock.nowMs };
  let failure: ProviderError | undefined;
  const budget = new WorkBudget(discoveryLimits);
  for (const url of candidates(start, profile)) {
    const dav = createDavClient({ ...base, baseUrl: url }).counting(budget);
    try {
      const found = await findPrincipal(dav, url, options.signal);
      if (found === null) continue;
      const home = await readHome(dav, found, options.signal);
      const calendars = await listHomes(dav, home.homeSetUrls, new URL(found.url).origin, options.signal);
      return { baseUrl: found.url, profile, principalUrl: found.principalUrl, ...home, calendars };
    } catch (error) {
      if (error instanceof WorkLimitError) throw tooMuchData(start.host);
      if (!(error instanceof ProviderError)) throw error;
      // A refused password is the answer, and trying it on more paths gets an account locked.
      if (error.kind === 'auth' || error.kind === 'rate-limited' || hopeless.has(error.code)) throw error;
      failure = moreTelling(failure, error);
    }
  }
  throw failure ?? notCaldav(start.host);
}

/** Calendars of an account whose address is known. */
export function listCalendars(account: DavClient, baseUrl: string, signal: AbortSignal): Promise<RemoteCalendar[]> {
  return withinLimits(account, discoveryLimits, async (dav) => {
    const found = await findPrincipal(dav, baseUrl, signal);
    if (found === null) throw notCaldav(new URL(baseUrl).host);
    const home = await readHome(dav, found, signal);
    return await listHomes(dav, home.homeSetUrls, dav.origin, signal);
  });
}

/** Where a server takes questions to others, and the address of the account that asks. */
export interface Outbox {
  url: string;
  organizer: string;
}

/** The scheduling outbox of an account; null on a server without one. Source: RFC 6638 2.1.1. */
export function findOutbox(account: DavClient, baseUrl: string, signal: AbortSignal): Promise<Outbox | null> {
  return withinLimits(account, discoveryLimits, async (dav) => {
    const found = await findPrincipal(dav, baseUrl, signal);
    if (found === null) return null;
    let outbox: Outbox | null = null;
    await dav.send(
      { operation: 'discover', method: 'PROPFIND', url: found.principalUrl, depth: '0', body: askOutbox, signal },
      (reply) =>
        readMultistatus(reply, (response) => {
          const href = hrefsIn(response.props.get('c:schedule-outbox-URL'))[0];
          const organizer = mailsIn(response)[0];
          if (href !== undefined && organizer !== undefined)
            outbox ??= { url: new URL(href, reply.url).href, organizer };
        }),
    );
    return outbox;
  });
}

/** Failures of the host as such: another path cannot help. */
const hopeless = new Set(['UNREACHABLE', 'TLS', 'TIMEOUT', 'TOO_LARGE', 'ABORTED', 'INSECURE_REDIRECT']);

/** Returns the failure that helps the person most. */
function moreTelling(first: ProviderError | undefined, next: ProviderError): ProviderError {
  const rank = (error: ProviderError) => ['OTHER_SITE', 'LOGIN_PAGE', 'FORBIDDEN'].indexOf(error.code);
  if (first === undefined) return next.kind === 'not-found' ? notCaldav() : next;
  return rank(next) >= 0 && (rank(first) < 0 || rank(next) < rank(first)) ? next : first;
}

interface Start {
  url: string;
  host: string;
  /** Only a host was given, so its well-known address comes first. */
  bare: boolean;
}

function readAddress(address: string, chosen: CaldavProfile): { start: Start; profile: CaldavProfile } {
  let text = address.trim();
  let profile = chosen;
  const mail = /^[^\s@/:]+@([^\s@/:]+)$/.exec(text);
  if (mail?.[1] !== undefined) {
    if (chosen.name === 'generic') profile = findProfile(mail[1]) ?? chosen;
    text = profile.baseUrl ?? mail[1];
  } else if (text === '' && chosen.baseUrl !== null) {
    text = chosen.baseUrl;
  }
  text = text.replace(/^(?:caldavs?|webcals?|davs?):\/\//i, 'https://');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) text = `https://${text}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new ProviderError(
      'rejected',
      'INVALID_ADDRESS',
      'Enter a server address such as https://dav.example.org/, or your email address.',
    );
  }
  if (url.protocol === 'http:' && !isLocal(url.hostname)) {
    throw new ProviderError(
      'rejected',
      'INSECURE_ADDRESS',
      'This address would send the password without encryption. Enter it with https:// instead of http://.',
    );
  }
  if (profile.name === 'generic' && within(url.hostname, 'icloud.com')) profile = caldavProfiles.icloud;
  url.username = '';
  url.password = '';
  url.hash = '';
  return { start: { url: url.href, host: url.host, bare: url.pathname === '/' && url.search === '' }, profile };
}

/** A host of the operator's own network; it is reached only where the operator allows it, then without TLS if need be. */
function isLocal(host: string): boolean {
  const name = canonicalHost(host);
  if (isIP(name) !== 0) return !isPublicAddress(name);
  return !name.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(name);
}

function within(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}

/** Where servers keep their DAV root when nothing points to it: Nextcloud, SOGo, DAViCal, Baikal, Synology. */
const commonPaths = ['/remote.php/dav/', '/SOGo/dav/', '/caldav.php/', '/dav.php/', '/dav/', '/caldav/'];

function candidates(start: Start, profile: CaldavProfile): string[] {
  const at = (path: string) => new URL(path, start.url).href;
  const urls = [start.url, at('/.well-known/caldav')];
  if (profile.davPath !== null)
    urls.unshift(new URL(profile.davPath.slice(1), folderOf(start.url)).href, at(profile.davPath));
  if (start.bare) urls.push(...commonPaths.map(at));
  return [...new Set(urls)];
}

function folderOf(url: string): string {
  const found = new URL(url);
  // People copy the address bar: https://cloud.example/index.php/apps/dashboard/ lives at https://cloud.example/.
  found.pathname = found.pathname.replace(/\/(?:index\.php|apps|login)(?:\/.*)?$/, '/');
  if (!found.pathname.endsWith('/')) found.pathname += '/';
  return found.href;
}

interface Found {
  url: string;
  principalUrl: string;
  /** Known already when the first answer carried it, or when the address is a single calendar. */
  homeSetUrls: string[];
}

/** One PROPFIND at the address: principal, home set, or the calendar itself; null when it is DAV but leads nowhere. */
async function findPrincipal(dav: DavClient, url: string, signal: AbortSignal): Promise<Found | null> {
  return await dav.send(
    { operation: 'discover', method: 'PROPFIND', url, depth: '0', body: askPrincipal, signal },
    async (reply) => {
      let found: Found | null = null;
      await readMultistatus(reply, (response) => {
        const urls = (property: string) =>
          hrefsIn(response.props.get(property)).map((href) => new URL(href, reply.url).href);
        const principal = hrefsIn(response.props.get('d:current-user-principal'))[0];
        const homeSetUrls = urls('c:calendar-home-set');
        if (principal !== undefined) {
          found ??= { url: reply.url, principalUrl: new URL(principal, reply.url).href, homeSetUrls };
        } else if (homeSetUrls.length > 0 || childNamed(response.props.get('d:resourcetype'), 'd:principal')) {
          found ??= { url: reply.url, principalUrl: reply.url, homeSetUrls };
        } else if (isCalendar(response)) {
          found ??= { url: reply.url, principalUrl: reply.url, homeSetUrls: [reply.url] };
        }
      });
      return found;
    },
  );
}

async function readHome(
  dav: DavClient,
  found: Found,
  signal: AbortSignal,
): Promise<{ homeSetUrls: string[]; addresses: string[] }> {
  const home = { homeSetUrls: [...found.homeSetUrls], addresses: [] as string[] };
  await dav.send(
    { operation: 'discover', method: 'PROPFIND', url: found.principalUrl, depth: '0', body: askHome, signal },
    (reply) =>
      readMultistatus(reply, (response) => {
        for (const href of hrefsIn(response.props.get('c:calendar-home-set'))) {
          home.homeSetUrls.push(new URL(href, reply.url).href);
        }
        home.addresses.push(...mailsIn(response));
      }),
  );
  home.homeSetUrls = [...new Set(home.homeSetUrls)];
  if (home.homeSetUrls.length === 0) home.homeSetUrls.push(found.principalUrl);
  home.addresses = [...new Set(home.addresses)].slice(0, mostAddresses);
  return home;
}

/** Addresses of one account: they are read with each of its events. Servers list the aliases of a person. */
const mostAddresses = 100;
const longestAddress = 320;

function mailsIn(response: DavResponse): string[] {
  return hrefsIn(response.props.get('c:calendar-user-address-set'))
    .map((href) => (/^mailto:/i.test(href) ? normalizeAddress(href) : ''))
    .filter((address) => {
      const at = address.indexOf('@', 1);
      return at > 0 && at < address.length - 1 && address.length <= longestAddress;
    });
}

/** Homes of one account that are asked for calendars. RFC 4791 6.2.1 allows several; servers have one. */
const mostHomes = 10;

async function listHomes(
  dav: DavClient,
  homeSetUrls: string[],
  origin: string,
  signal: AbortSignal,
): Promise<RemoteCalendar[]> {
  const calendars = new Map<string, RemoteCalendar>();
  for (const url of homeSetUrls.slice(0, mostHomes)) {
    await dav.send(
      { operation: 'discover', method: 'PROPFIND', url, depth: '1', body: askCalendars, signal },
      (reply) =>
        readMultistatus(reply, (response) => {
          if (!isCalendar(response)) return;
          const calendar = toCalendar(response, reply.url, origin);
          if (calendar !== null) calendars.set(calendar.ref, calendar);
        }),
    );
  }
  const list = [...calendars.values()];
  const primary =
    list.find((calendar) => calendar.writable && mainName.test(calendar.ref)) ?? list.find((c) => c.writable);
  if (primary !== undefined) primary.primary = true;
  return list;
}

/** Names of the default calendar at iCloud, Nextcloud, SOGo, Fastmail and Xandikos. */
const mainName = /\/(?:home|personal|default|calendar|main)\/$/i;

/** SOGo's personal calendar also says schedule-outbox, so that alone excludes nothing. Source: RFC 4791 5.2. */
function isCalendar(response: DavResponse): boolean {
  const type = response.props.get('d:resourcetype');
  if (childNamed(type, 'c:calendar') === undefined) return false;
  const components = response.props.get('c:supported-calendar-component-set')?.children ?? [];
  if (components.length === 0) return true;
  return components.some((component) => component.label?.toUpperCase() === 'VEVENT');
}

const longestZoneName = 1_000;

function toCalendar(response: DavResponse, from: string, origin: string): RemoteCalendar | null {
  const at = new URL(from);
  const path = refOf(response.href, refOf(at.pathname, '/') ?? '/');
  if (path === null) return null;
  const ref = collectionRef(path);
  const name = response.props.get('d:displayname')?.text.trim();
  const calendar: RemoteCalendar = {
    // Another host than the account's (iCloud) stays part of the name, or the path could not be found again.
    ref: at.origin === origin ? ref : at.origin + pathOf(ref),
    name: name || ref.split('/').at(-2) || ref,
    writable: isWritable(response.props.get('d:current-user-privilege-set')),
    primary: false,
  };
  const color = /^#([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(response.props.get('ical:calendar-color')?.text.trim() ?? '');
  if (color?.[1] !== undefined) calendar.color = `#${color[1].toLowerCase()}`;
  const zoneName = /(?:^|[\r\n])TZID[^:\r\n]*:([^\r\n]+)/.exec(
    response.props.get('c:calendar-timezone')?.text ?? '',
  )?.[1];
  const zone = zoneName === undefined || zoneName.length > longestZoneName ? null : resolveZone(zoneName.trim());
  if (zone !== null) calendar.zone = zone.zone;
  return calendar;
}

const writePrivileges = new Set(['d:write', 'd:all', 'd:write-content', 'd:bind']);

/** A server that does not say is taken as writable; the first write finds out. Source: RFC 3744 5.4. */
function isWritable(set: XmlNode | undefined): boolean {
  if (set === undefined || set.children.length === 0) return true;
  return set.children.some((privilege) => privilege.children.some((right) => writePrivileges.has(right.name)));
}
