import { hash } from 'node:crypto';
import { createGoogle, type GoogleDialect } from '../../src/emulators/google/google.ts';
import { createClock } from '../../src/emulators/kit/clock.ts';
import { connectControl } from '../../src/emulators/kit/control-client.ts';
import { fetchInProcess } from '../../src/emulators/kit/fetch-in-process.ts';

const BASE = 'http://google.test';
const CLIENT = { client_id: 'holdfast.apps.emulated', client_secret: 'emulated-secret' };
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0123456789';
const scopes = (...names: string[]) => names.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');

export const WRITES_EVENTS = `openid email ${scopes('calendar.events', 'calendar.calendarlist.readonly', 'calendar.events.freebusy')}`;

export interface Answered<T> {
  status: number;
  headers: Headers;
  body: T;
  /** `errors[0].reason` of a refusal. */
  reason: string | undefined;
}

/** The Google emulator in this process, without sockets; its clock stands until it is moved. */
export function emulateGoogle(now = '2027-01-04T12:00:00Z') {
  const clock = createClock(Temporal.Instant.from(now).epochMilliseconds);
  const google = createGoogle({ clock, origin: BASE });
  const send = fetchInProcess(google);
  const control = connectControl<GoogleDialect>(BASE, send);

  const ask = async <T = Record<string, unknown>>(
    method: string,
    path: string,
    init: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answered<T>> => {
    const { body, headers = {} } = init;
    const isForm = body instanceof URLSearchParams;
    const response = await send(`${BASE}${path}`, {
      method,
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    const read = (isJson ? JSON.parse(text) : text) as T & { error?: { errors?: { reason: string }[] } };
    return { status: response.status, headers: response.headers, body: read, reason: read.error?.errors?.[0]?.reason };
  };

  /** The consent of a person, without the page: gives the parameters that come back to the client. */
  const consent = async (
    account: string,
    scope = WRITES_EVENTS,
    more: Record<string, string> = {},
    granted?: string[],
  ): Promise<URLSearchParams> => {
    await control.knobs({ autoConsent: { account, ...(granted && { scopes: granted }) } });
    const query = new URLSearchParams({
      client_id: CLIENT.client_id,
      redirect_uri: 'http://127.0.0.1:3000/return',
      response_type: 'code',
      scope,
      state: 'the-state',
      access_type: 'offline',
      code_challenge: hash('sha256', VERIFIER, 'base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    const { headers } = await ask('GET', `/o/oauth2/v2/auth?${query.toString()}`);
    await control.knobs({ autoConsent: null });
    return new URL(headers.get('location')!).searchParams;
  };

  const exchange = (code: string, more: Record<string, string> = {}) =>
    ask<TokenAnswer>('POST', '/token', {
      body: new URLSearchParams({
        ...CLIENT,
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'http://127.0.0.1:3000/return',
        code_verifier: VERIFIER,
        ...more,
      }),
    });

  const refresh = (token: string, more: Record<string, string> = {}) =>
    ask<TokenAnswer>('POST', '/token', {
      body: new URLSearchParams({ ...CLIENT, grant_type: 'refresh_token', refresh_token: token, ...more }),
    });

  /** Signs somebody in and gives the API as that person: paths below `/calendar/v3`. */
  const signIn = async (account: string, scope = WRITES_EVENTS) => {
    const { body: token } = await exchange((await consent(account, scope)).get('code')!);
    const api = <T = Record<string, unknown>>(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) =>
      ask<T>(method, `/calendar/v3${path}`, {
        ...(body !== undefined && { body }),
        headers: { authorization: `Bearer ${token.access_token}`, ...headers },
      });
    return { token, api };
  };

  return { clock, google, control, send, ask, consent, exchange, refresh, signIn };
}

export interface TokenAnswer {
  access_token: string;
  expires_in: number;
  refresh_token?: string;
  id_token?: string;
  scope: string;
  token_type: string;
  error?: string;
  error_description?: string;
  error_subtype?: string;
}
