import { redirectRefused } from './errors.ts';

/**
 * Guided ways to connect over CalDAV. A profile is data: words for the form, defaults, and the few differences that a
 * server's answers cannot tell us. Figures and differences: docs/providers.md.
 */

export type CaldavProfileName = 'generic' | 'icloud' | 'zoho' | 'fastmail' | 'nextcloud' | 'davmail';

export interface CaldavProfile {
  name: CaldavProfileName;
  /** Provider word of the account on screens, and its colour. */
  provider: string;
  label: string;
  color: string;
  /** Prefilled address; null = the person enters it. */
  baseUrl: string | null;
  /** Path tried under the host that the person enters, before the general ones. */
  davPath: string | null;
  urlLabel: string | null;
  usernameLabel: string;
  passwordLabel: string;
  help: string;
  helpUrl: string | null;
  /** E-mail domains that mean this profile. */
  mailDomains: readonly string[];
  /** Credentials may follow the provider to any host of this domain (iCloud answers from pNN-caldav.icloud.com). */
  trustedSuffix: string | null;
  pollSeconds: number;
  maxConcurrency: number;
  /** The server throttles harder than its Retry-After says; waits start here and grow. */
  retryFloorMs: number;
  /** A deleted UID may be written again. */
  identityReusable: boolean;
  /** The server names the object after its UID, whatever name the PUT used. */
  namesByUid: boolean;
  /** The calendar's page in the provider's own web application, where there is one that we know. */
  webUrl?(baseUrl: string | null): string | null;
}

const generic: CaldavProfile = {
  name: 'generic',
  provider: 'caldav',
  label: 'CalDAV',
  color: '#6741d9',
  baseUrl: null,
  davPath: null,
  urlLabel: 'Server address or email',
  usernameLabel: 'User name',
  passwordLabel: 'Password or app password',
  help: 'Any CalDAV server. The server address or your email address is usually enough to find your calendars.',
  helpUrl: null,
  mailDomains: [],
  trustedSuffix: null,
  pollSeconds: 60,
  maxConcurrency: 8,
  retryFloorMs: 1_000,
  identityReusable: true,
  namesByUid: false,
};

export const caldavProfiles: Record<CaldavProfileName, CaldavProfile> = {
  generic,
  icloud: {
    ...generic,
    name: 'icloud',
    provider: 'icloud',
    label: 'iCloud',
    color: '#8e8e93',
    baseUrl: 'https://caldav.icloud.com/',
    urlLabel: null,
    usernameLabel: 'Apple Account email',
    passwordLabel: 'App-specific password',
    help: 'Apple needs an app-specific password: sign in at account.apple.com, open Sign-In and Security, then App-Specific Passwords. It stops working when you change your Apple Account password.',
    helpUrl: 'https://support.apple.com/102654',
    mailDomains: ['icloud.com', 'me.com', 'mac.com'],
    trustedSuffix: 'icloud.com',
    pollSeconds: 90,
    // Budget seen elsewhere: 240 requests a minute and account.
    maxConcurrency: 4,
    retryFloorMs: 2_000,
    webUrl: () => 'https://www.icloud.com/calendar/',
  },
  zoho: {
    ...generic,
    name: 'zoho',
    provider: 'zoho',
    label: 'Zoho Calendar',
    color: '#e8590c',
    baseUrl: 'https://calendar.zoho.com/',
    urlLabel: 'Server address (ends in .com, .eu, .in, .com.au, .jp … like your Zoho address)',
    usernameLabel: 'Zoho email',
    passwordLabel: 'App-specific password',
    help: 'In Zoho Calendar open Settings, Synchronize, CalDAV to see your address. With two-step sign-in, make an app-specific password at accounts.zoho.com under Security.',
    helpUrl: 'https://www.zoho.com/calendar/help/caldav.html',
    mailDomains: ['zoho.com', 'zohomail.com', 'zoho.eu', 'zohomail.eu', 'zoho.in', 'zohomail.in'],
    pollSeconds: 120,
    maxConcurrency: 2,
    identityReusable: false,
    namesByUid: true,
    webUrl: (baseUrl) => (baseUrl === null ? null : new URL('/', baseUrl).href),
  },
  fastmail: {
    ...generic,
    name: 'fastmail',
    provider: 'fastmail',
    label: 'Fastmail',
    color: '#0b7285',
    baseUrl: 'https://caldav.fastmail.com/',
    urlLabel: null,
    usernameLabel: 'Fastmail email',
    passwordLabel: 'App password',
    help: 'In Fastmail open Settings, Privacy & Security, Manage app passwords, and make one with access to calendars (CalDAV).',
    helpUrl: 'https://www.fastmail.help/hc/en-us/articles/360058752854',
    mailDomains: ['fastmail.com', 'fastmail.fm'],
    trustedSuffix: 'fastmail.com',
    maxConcurrency: 4,
    webUrl: () => 'https://app.fastmail.com/calendar/',
  },
  nextcloud: {
    ...generic,
    name: 'nextcloud',
    provider: 'nextcloud',
    label: 'Nextcloud',
    color: '#1971c2',
    davPath: '/remote.php/dav/',
    urlLabel: 'Address of your Nextcloud',
    passwordLabel: 'App password',
    help: 'In Nextcloud open Settings, Security, and make an app password under Devices & sessions. Enter the address you use in the browser.',
    helpUrl: 'https://docs.nextcloud.com/server/latest/user_manual/en/groupware/calendar.html',
    maxConcurrency: 4,
    // the trash bin keeps a deleted UID until it is emptied
    identityReusable: false,
    webUrl: (baseUrl) => nextcloudCalendar(baseUrl),
  },
  davmail: {
    ...generic,
    name: 'davmail',
    provider: 'exchange',
    label: 'Exchange through DavMail',
    color: '#0f7b3f',
    urlLabel: 'Address of your DavMail (for example http://davmail.lan:1080/)',
    usernameLabel: 'Exchange user name or email',
    passwordLabel: 'Exchange password',
    help: 'DavMail translates between Exchange and CalDAV. It must run where this server can reach it, and its operator must allow that address.',
    helpUrl: 'https://davmail.sourceforge.net/',
    pollSeconds: 120,
    maxConcurrency: 2,
  },
};

/** Returns the web address, which is beside the DAV root: `https://cloud.example/nc/remote.php/dav/`. */
function nextcloudCalendar(baseUrl: string | null): string | null {
  const root = /^(https?:\/\/.*?\/)remote\.php\//.exec(baseUrl ?? '')?.[1];
  return root === undefined ? null : `${root}index.php/apps/calendar`;
}

/** The profile that an e-mail domain or host belongs to, or null. */
export function findProfile(domain: string): CaldavProfile | null {
  const name = domain.toLowerCase();
  for (const profile of Object.values(caldavProfiles)) {
    if (profile.mailDomains.includes(name)) return profile;
  }
  return null;
}

/** Where credentials may go: the host the person gave, hosts below it, and the profile's own domain; never down to http. */
export function assertTrusted(base: URL, target: string, profile: CaldavProfile): void {
  // with the slash the authority is complete, so it is the origin itself and nothing that begins like it
  if (target.startsWith(`${base.origin}/`)) return;
  const url = new URL(target);
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || base.protocol === 'https:')) {
    throw redirectRefused(base.host, url.host, 'insecure');
  }
  if (url.origin === base.origin) return;
  const host = url.hostname.toLowerCase();
  const home = base.hostname.toLowerCase();
  // The same machine over TLS, on whatever port; another port without TLS may be anybody's process.
  const sameHost = host === home && url.protocol === 'https:';
  const below = host.endsWith(`.${home}`) && home.includes('.') && url.protocol === 'https:' && !isAddress(home);
  const ofProfile =
    profile.trustedSuffix !== null && within(home, profile.trustedSuffix) && within(host, profile.trustedSuffix);
  if (!sameHost && !below && !ofProfile) throw redirectRefused(base.host, url.host, 'other-site');
}

function within(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
