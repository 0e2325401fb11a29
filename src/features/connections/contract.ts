/**
 * Owns: accounts at providers, their credentials and calendars, and how well each calendar can be read.
 * Announces: connections.calendars-listed, connections.leaving, connections.gone.
 * Never: reads or writes events; that is sync's and calendar's work.
 */
import * as z from 'zod/mini';
import { uuid as id, line, text, trimmedLine } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

export const caldavProfiles = ['generic', 'icloud', 'zoho', 'fastmail', 'nextcloud', 'davmail'] as const;
export const oauthProviders = ['google', 'microsoft'] as const;
export const accountStatuses = ['active', 'syncing', 'error'] as const;

const password = text(4_096).check(z.minLength(1));

export const accountShape = z.strictObject({
  accountId: id,
  provider: z.string(), // google, outlook, icloud, exchange, caldav …: colour and name on screens
  profile: z.string(),
  email: z.string(), // shown to the person as the name of the account
  status: z.enum(accountStatuses),
  needsReconnect: z.boolean(),
  disconnecting: z.boolean(),
  message: z.nullable(z.string()), // the problem, the state of the data, and the next step
  lastSyncedAt: z.nullable(z.iso.datetime()),
  canReconnectWithPassword: z.boolean(),
  following: z.enum(['live', 'polling']), // live: its provider says at once when something changes
  reconnectUrl: z.nullable(z.string()), // where one click gives access again
  simulatedPage: z.nullable(z.string()), // where the simulated account is seen and edited
});

export const integrationCalendarShape = z.strictObject({
  calendarId: id,
  accountId: id,
  name: z.string(),
  color: z.string(),
  isPrimary: z.boolean(),
  includeInUnified: z.boolean(),
  visible: z.boolean(),
  writable: z.boolean(),
  /** Meetings that its events can have; null: its provider does not tell. */
  conferences: z.nullable(z.array(z.enum(['google-meet', 'teams']))),
  removed: z.boolean(), // no longer listed by its account
  leavesAt: z.nullable(z.iso.datetime()), // for a removed one: when its events leave
  left: z.boolean(), // its events were removed
  lastSyncedAt: z.nullable(z.iso.datetime()),
  error: z.nullable(z.string()),
});

/** A guided way to connect: everything the form needs to help. */
export const providerCardShape = z.strictObject({
  profile: z.enum(caldavProfiles),
  provider: z.string(),
  label: z.string(),
  color: z.string(),
  url: z.nullable(z.string()), // prefilled; null = the person enters it
  urlLabel: z.nullable(z.string()),
  usernameLabel: z.string(),
  passwordLabel: z.string(),
  help: z.string(),
  helpUrl: z.nullable(z.string()),
});

/** Google and Microsoft: a browser is sent there to sign in. */
export const signInShape = z.strictObject({
  provider: z.enum(oauthProviders),
  word: z.string(),
  label: z.string(),
  color: z.string(),
  usable: z.boolean(), // false: what the operator has to do first is in `missing`
  missing: z.nullable(z.string()),
});

const codes = [
  'UNREACHABLE', // host not found, refused, timed out, or an address we do not call
  'TLS',
  'WRONG_PASSWORD',
  'LOGIN_PAGE', // HTML where DAV was expected
  'NOT_CALDAV',
  'NOT_A_FEED',
  'FEED_GONE', // the publisher says that there is nothing at this address
  'FEED_REFUSED',
  'NO_CALENDARS',
  'TOO_LARGE',
  'BAD_ANSWER',
  'ALREADY_CONNECTED',
  'PLAN_LIMIT', // the plan has no room for one more
  'TOO_MANY', // 100 accounts
] as const;

export const connectionsContract = {
  listProviders: endpoint({
    method: 'GET',
    path: '/api/providers',
    auth: 'user',
    summary: 'Providers with guided setup',
    output: z.strictObject({
      signIns: z.array(signInShape),
      providers: z.array(providerCardShape),
      simulated: z.array(z.enum(oauthProviders)), // empty where simulated accounts are switched off
    }),
  }),
  listAccounts: endpoint({
    method: 'GET',
    path: '/integrations/accounts',
    auth: 'user',
    summary: 'Connected accounts with their status',
    output: z.strictObject({ accounts: z.array(accountShape) }),
  }),
  listIntegrationCalendars: endpoint({
    method: 'GET',
    path: '/integrations/calendars',
    auth: 'user',
    summary: 'Calendars of all connected accounts',
    output: z.strictObject({ calendars: z.array(integrationCalendarShape) }),
  }),
  connectCaldav: endpoint({
    method: 'POST',
    path: '/api/connections/caldav',
    auth: 'user',
    summary: 'Connect a CalDAV account, discover its calendars, and start reading them',
    body: z.strictObject({
      profile: z.enum(caldavProfiles),
      url: trimmedLine(2_000).check(z.minLength(1)), // URL or e-mail address
      username: trimmedLine(320).check(z.minLength(1)),
      password,
    }),
    output: z.strictObject({ account: accountShape }),
    errors: codes,
    status: 201,
  }),
  connectFeed: endpoint({
    method: 'POST',
    path: '/api/connections/feed',
    auth: 'user',
    summary: 'Subscribe to a published iCalendar file, read-only',
    body: z.strictObject({
      url: trimmedLine(4_096).check(z.minLength(1)), // https:// or webcal://
    }),
    output: z.strictObject({ account: accountShape }),
    errors: codes,
    status: 201,
  }),
  connectOwn: endpoint({
    method: 'POST',
    path: '/api/connections/holdfast',
    auth: 'user',
    summary: 'Create a calendar stored by Holdfast',
    output: z.strictObject({ account: accountShape }),
    errors: ['ALREADY_CONNECTED'],
    status: 201,
  }),
  startOAuth: endpoint({
    method: 'GET',
    path: '/provider/{provider}/start',
    auth: 'user',
    summary: 'Redirect to Google or Microsoft to connect a calendar account',
    params: z.strictObject({ provider: z.enum(oauthProviders) }),
    query: z.strictObject({
      returnUrl: z.optional(line(1_000)), // a page of this origin
      accountId: z.optional(id), // to be connected again
      session_token: z.optional(line(1_000)), // never honoured: an address is no place for a session
    }),
    output: z.string(),
    errors: ['FOREIGN_RETURN', 'NOT_CONFIGURED', 'PLAN_LIMIT', 'TOO_MANY'],
    sendsTo: '/integrations',
  }),
  finishOAuth: endpoint({
    method: 'GET',
    path: '/provider/{provider}/callback',
    auth: 'user',
    summary: 'Return address for the provider. Redirects to the original page with the result',
    params: z.strictObject({ provider: z.enum(oauthProviders) }),
    // each provider adds parameters of its own, which are not read
    query: z.record(line(100), text(8_000)),
    output: z.string(),
    sendsTo: '/integrations',
  }),
  takeOutcome: endpoint({
    method: 'POST',
    path: '/api/connections/outcome',
    auth: 'user',
    summary: 'Reason for a failed connection, once, or null if unknown',
    output: z.strictObject({ message: z.nullable(z.string()) }),
  }),
  simulateConnect: endpoint({
    method: 'POST',
    path: '/dev/simulate/connect',
    auth: 'user',
    summary: 'Connect a simulated account, if simulated accounts are turned on',
    body: z.strictObject({ provider: z.enum(oauthProviders) }),
    output: z.strictObject({ account: accountShape }),
    errors: ['PLAN_LIMIT', 'TOO_MANY'],
    status: 201,
  }),
  reconnect: endpoint({
    method: 'POST',
    path: '/api/connections/{accountId}/reconnect',
    auth: 'user',
    summary: 'Set a new password. Calendars, mirrors, and history are kept',
    params: z.strictObject({ accountId: id }),
    body: z.strictObject({ password }),
    output: z.strictObject({ account: accountShape }),
    errors: [...codes, 'NO_PASSWORD'],
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/integrations/accounts/{accountId}',
    auth: 'user',
    summary: 'Disconnect an account. All its blocks, and all blocks that came from it, are removed first',
    params: z.strictObject({ accountId: id }),
    /** Required for a calendar that Holdfast keeps: no provider has its events, which are deleted for good. */
    query: z.strictObject({ delete_events: z.optional(z.literal('1')) }),
    output: z.strictObject({ account: accountShape }),
    errors: ['DELETES_EVENTS'],
    status: 202,
  }),
  changeCalendar: endpoint({
    method: 'PATCH',
    path: '/api/calendars/{calendarId}',
    auth: 'user',
    summary: 'Change the settings and color of a calendar',
    params: z.strictObject({ calendarId: id }),
    body: z.strictObject({
      includeInUnified: z.optional(z.boolean()),
      visible: z.optional(z.boolean()),
      color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/))),
    }),
    output: z.strictObject({ calendar: integrationCalendarShape }),
  }),
};
