import type { RateLimitStyle } from './errors.ts';

/** Settings of the emulated Google whose real values are known only roughly. */
export interface Knobs {
  /** Registered OAuth clients by id. `redirectUris` empty: every loopback address is registered. */
  clients: Record<string, { secret: string; redirectUris: string[] }>;
  /** Publishing status of the OAuth application: in `testing`, refresh tokens live seven days. */
  publishing: 'production' | 'testing';
  accessTokenSeconds: number;
  /** Live refresh tokens per user and client; one more kills the oldest without a word. */
  refreshTokenLimit: number;
  /** The consent page answers itself: with this account, and these scopes (absent: all that were asked for). */
  autoConsent: { account: string; scopes?: string[]; deny?: boolean } | null;
  /** Requests in a sliding minute. */
  perMinutePerUser: number;
  perMinutePerProject: number;
  rateLimitStyle: RateLimitStyle;
  channelSeconds: number;
  /** The first message of a channel is delivered before `watch` answers. */
  syncBeforeAnswer: boolean;
  /** Days until a sync token expires; null: only for a reason. */
  syncTokenDays: number | null;
  /** A conference that is asked for is not made at once, but by the act `make-conference`. */
  conferencesPend: boolean;
  /** Extended properties of writes vanish without a word, as a Workspace did to an unverified application. */
  dropsExtendedProperties: boolean;
}

export function defaultKnobs(): Knobs {
  return {
    clients: { 'holdfast.apps.emulated': { secret: 'emulated-secret', redirectUris: [] } },
    publishing: 'production',
    accessTokenSeconds: 3_599,
    refreshTokenLimit: 100,
    autoConsent: null,
    perMinutePerUser: 600,
    perMinutePerProject: 10_000,
    rateLimitStyle: '403 rateLimitExceeded',
    channelSeconds: 604_800,
    syncBeforeAnswer: false,
    syncTokenDays: null,
    conferencesPend: false,
    dropsExtendedProperties: false,
  };
}
