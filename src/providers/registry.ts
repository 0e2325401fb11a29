import { setTimeout as sleep } from 'node:timers/promises';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { SafeFetch } from '#platform/fetch.ts';
import type { OAuthAccess } from '#platform/oauth-server.ts';
import type { CaldavHttp } from './caldav/http.ts';
import { type CaldavProfile, caldavProfiles } from './caldav/profiles.ts';
import { caldavCapabilities, openCaldav } from './caldav/provider.ts';
import { googleEventUrl } from './google/event-url.ts';
import { googleAccess, googleEndpoints } from './google/oauth.ts';
import { googleCapabilities, openGoogle } from './google/provider.ts';
import { openOwnCalendar, ownCalendar, ownCapabilities } from './holdfast/provider.ts';
import { feedCapabilities, openFeed } from './ics/provider.ts';
import { outlookEventUrl } from './microsoft/event-url.ts';
import { microsoftAccess, microsoftEndpoints } from './microsoft/oauth.ts';
import { microsoftCapabilities, openMicrosoft } from './microsoft/provider.ts';
import type { AccessTokens, CalendarProvider, Credential, ProviderCapabilities } from './port.ts';
import { RequestGate } from './rest/request-gate.ts';

/** A connection with its credential open, as an adapter needs it. */
export interface OpenAccount {
  provider: string;
  profile: string;
  /** Root of the CalDAV account, or of the provider's API. */
  baseUrl: string;
  credential: Credential;
  /** Paces the account's requests; kept by the caller for the life of the account. */
  gate?: RequestGate;
  selfAddresses: readonly string[];
}

/** Parts of the process that adapters need. */
export interface ProviderContext {
  caldavHttp: CaldavHttp;
  /** For addresses that people enter. */
  fetch: SafeFetch['request'];
  /** For services that the operator configured. */
  apiFetch: ApiFetch;
  tags: TagVerifier;
  nowMs(): number;
}

/** How a kind of account looks on screens. */
export interface ProviderFace {
  /** The specification's word: google, outlook, icloud, exchange, caldav … */
  word: string;
  label: string;
  color: string;
  passwordLabel: string;
}

/** Arguments of `openUrlOf`. */
export interface EventPlace {
  calendarRef: string;
  itemRef: string;
  /** Empty for a single event. */
  recId: string;
}

interface Registration {
  open(account: OpenAccount, context: ProviderContext): CalendarProvider;
  capabilities(profile: string): ProviderCapabilities;
  face(profile: string): ProviderFace;
  /** Where its person sees the event, or its calendar, in the provider's own web application. */
  openUrl?(account: { profile: string; baseUrl: string | null }, place: EventPlace): string | null;
}

const caldavProfile = (name: string): CaldavProfile =>
  Object.hasOwn(caldavProfiles, name) ? caldavProfiles[name as keyof typeof caldavProfiles] : caldavProfiles.generic;

const registrations: Record<string, Registration> = {
  caldav: {
    open: (account, context) =>
      openCaldav({
        baseUrl: account.baseUrl,
        ...passwordOf(account),
        profile: caldavProfile(account.profile),
        http: context.caldavHttp,
        selfAddresses: account.selfAddresses,
        tags: context.tags,
        clock: context.nowMs,
      }),
    capabilities: (profile) => caldavCapabilities(caldavProfile(profile)),
    face: (profile) => {
      const { provider, label, color, passwordLabel } = caldavProfile(profile);
      return { word: provider, label, color, passwordLabel };
    },
    openUrl: ({ profile, baseUrl }) => caldavProfile(profile).webUrl?.(baseUrl) ?? null,
  },
  microsoft: {
    open: (account, context) =>
      openMicrosoft({
        baseUrl: account.baseUrl,
        fetch: context.apiFetch,
        tokens: tokensOf(account),
        gate: account.gate,
        selfAddresses: account.selfAddresses,
        tags: context.tags,
        nowMs: context.nowMs,
      }),
    capabilities: () => microsoftCapabilities,
    face: () => ({ word: 'outlook', label: 'Microsoft Outlook', color: '#0078d4', passwordLabel: '' }),
    openUrl: (_account, { itemRef }) => outlookEventUrl(itemRef),
  },
  google: {
    open: (account, context) =>
      openGoogle({
        baseUrl: account.baseUrl,
        fetch: context.apiFetch,
        tokens: tokensOf(account),
        gate: account.gate,
        selfAddresses: account.selfAddresses,
        tags: context.tags,
        nowMs: context.nowMs,
      }),
    capabilities: () => googleCapabilities,
    face: () => oauthFaces.google,
    openUrl: (_account, place) => googleEventUrl(place),
  },
  holdfast: {
    open: () => openOwnCalendar(),
    capabilities: () => ownCapabilities,
    face: () => ({ word: 'holdfast', label: 'Holdfast calendar', color: ownCalendar.color, passwordLabel: '' }),
  },
  ics: {
    open: ({ credential, selfAddresses }, context) => {
      if (credential.kind !== 'address') throw new Error('a feed is opened with its address');
      const { fetch: http, tags, nowMs } = context;
      return openFeed({ url: credential.url, http, tags, selfAddresses, nowMs });
    },
    capabilities: () => feedCapabilities,
    face: () => ({ word: 'ics', label: 'Calendar feed', color: '#0b7285', passwordLabel: 'Address' }),
  },
};

function passwordOf({ provider, credential }: OpenAccount): { username: string; password: string } {
  if (credential.kind !== 'password') throw new Error(`${provider} is opened with a password`);
  return credential;
}

function tokensOf({ provider, credential }: OpenAccount): AccessTokens {
  if (credential.kind !== 'oauth') throw new Error(`${provider} is opened with tokens`);
  return credential.tokens;
}

function registrationOf(provider: string): Registration {
  const found = Object.hasOwn(registrations, provider) ? registrations[provider] : undefined;
  if (found === undefined) throw new Error(`no provider is registered as ${provider}`);
  return found;
}

/** Opens the adapter of an account. Nothing is sent before its first call. */
export function openProvider(account: OpenAccount, context: ProviderContext): CalendarProvider {
  return registrationOf(account.provider).open(account, context);
}

/** Capabilities of an account, as data. */
export function capabilitiesOf(account: { provider: string; profile: string }): ProviderCapabilities {
  return registrationOf(account.provider).capabilities(account.profile);
}

/** The gate of an account's requests, by what its provider allows; null where it names no bound. Times are monotonic ms. */
export function gateOf(account: { provider: string; profile: string }, nowMs: () => number): RequestGate | null {
  const { maxConcurrency, quota } = capabilitiesOf(account);
  if (quota === undefined) return null;
  const clock = {
    nowMs,
    sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
  };
  return new RequestGate({ maxConcurrency, quota, clock });
}

/** Providers whose accounts may have push channels. */
export const pushingProviders: readonly string[] = Object.keys(registrations).filter(
  (provider) => capabilitiesOf({ provider, profile: 'generic' }).push,
);

/**
 * The page of an event, or of its calendar, in the provider's own web application; null where there is none that we know,
 * and for simulated accounts.
 */
export function openUrlOf(
  account: { provider: string; profile: string; baseUrl: string | null },
  place: EventPlace,
): string | null {
  if (account.profile === 'simulated') return null;
  return registrationOf(account.provider).openUrl?.(account, place) ?? null;
}

/** Name, label and colour of an account's kind. */
export function faceOf(account: { provider: string; profile: string }): ProviderFace {
  if (isOAuthProvider(account.provider)) return oauthFaces[account.provider];
  return registrationOf(account.provider).face(account.profile);
}

export const oauthProviders = ['google', 'microsoft'] as const;
export type OAuthProviderName = (typeof oauthProviders)[number];

/** Whether accounts of this provider can be opened. */
export const isRegistered = (provider: string) => Object.hasOwn(registrations, provider);

/** Names of providers in sentences. */
export const oauthServices: Record<OAuthProviderName, string> = { google: 'Google', microsoft: 'Microsoft' };

const oauthFaces: Record<OAuthProviderName, ProviderFace> = {
  google: { word: 'google', label: 'Google Calendar', color: '#4285f4', passwordLabel: '' },
  microsoft: { word: 'outlook', label: 'Microsoft Outlook', color: '#0078d4', passwordLabel: '' },
};

/** How an account signs in. `endpoints` are addresses that differ from the provider's own, by name. */
export function oauthAccessOf(
  provider: OAuthProviderName,
  endpoints: Readonly<Record<string, string>>,
  tenant = 'common',
): OAuthAccess {
  return provider === 'google'
    ? googleAccess({ ...googleEndpoints, ...endpoints })
    : microsoftAccess({ ...microsoftEndpoints, ...endpoints }, tenant);
}

export function isOAuthProvider(provider: string): provider is OAuthProviderName {
  return (oauthProviders as readonly string[]).includes(provider);
}

export type { CaldavAccount } from './caldav/discover.ts';
/** CalDAV setup: guided profiles, and discovery of the account at an address. */
export { discoverAccount as discoverCaldav } from './caldav/discover.ts';
export type { CaldavProfileName } from './caldav/profiles.ts';
export { caldavProfiles } from './caldav/profiles.ts';
export { caldavHttpOver } from './caldav/undici-http.ts';
export { ownCalendar } from './holdfast/provider.ts';
export { feedUrlOf } from './ics/provider.ts';
export type { RequestGate } from './rest/request-gate.ts';
