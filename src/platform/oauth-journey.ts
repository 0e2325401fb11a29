import type { App } from './app.ts';
import { isSameSecret } from './crypto.ts';
import { type Challenge, finishAuthorization, startAuthorization } from './oauth.ts';
import { type Grant, type Identity, type OAuthClient, OAuthError } from './oauth-server.ts';
import type { BrowserNote } from './routes.ts';
import { spendOnce } from './spend-once.ts';

/**
 * A browser's redirect to an authorization server and back. The state lies sealed in the browser, so that a start costs
 * no row. The return is counted, so that it works once. Source: RFC 9700 sections 2.1 and 4.7.
 */

/** Long enough for a password, a second factor and a page of consent. */
const lifetimeSeconds = 600;

interface Note extends Challenge {
  purpose: string;
  expiresMs: number;
  luggage: string;
}

type JourneyApp = Pick<App, 'apiFetch' | 'clock'>;

/**
 * The address to send the browser to. `purpose` names the use, the provider and the person: the way back has to be
 * asked for with the same one. `luggage` comes back with it, at most 1,500 characters.
 */
export async function beginJourney(
  app: JourneyApp,
  note: BrowserNote,
  client: OAuthClient,
  request: {
    purpose: string;
    redirectUri: string;
    scopes: readonly string[];
    loginHint?: string | undefined;
    luggage: string;
  },
): Promise<string> {
  const { url, challenge } = await startAuthorization(client, request);
  const { purpose, luggage } = request;
  const expiresMs = app.clock.nowMs() + lifetimeSeconds * 1000;
  note.leave(JSON.stringify({ ...challenge, purpose, expiresMs, luggage } satisfies Note), lifetimeSeconds);
  return url;
}

export interface Arrival {
  /** Which of those that were expected it was. */
  purpose: string;
  luggage: string;
  /** Exchanges what the browser brought for tokens. *Errors*: OAuthError. */
  finish(client: OAuthClient, redirectUri: string): Promise<{ grant: Grant; identity: Identity }>;
}

/**
 * Takes the note of a browser that has come back with these parameters; it has to be from one of these purposes.
 *
 * *Errors*: OAuthError `refused`: another browser's way, another person's, another provider's, an old one, or one that
 * has been taken before. Its code says which.
 */
export async function endJourney(
  app: JourneyApp & Pick<App, 'db'>,
  note: BrowserNote,
  purposes: readonly string[],
  parameters: URLSearchParams,
): Promise<Arrival> {
  const text = note.take();
  if (text === null) throw refused('NO_NOTE');
  const kept = JSON.parse(text) as Note;
  if (!purposes.includes(kept.purpose)) throw refused('PURPOSE');
  const states = parameters.getAll('state');
  if (states.length !== 1 || !isSameSecret(states[0] ?? '', kept.state)) throw refused('STATE');
  if (kept.expiresMs <= app.clock.nowMs()) throw refused('EXPIRED');
  if (!(await spendOnce(app.db, kept.state))) throw refused('USED');
  const { purpose, luggage, ...challenge } = kept;
  return {
    purpose,
    luggage,
    finish: (client, redirectUri) =>
      finishAuthorization({ fetch: app.apiFetch, nowMs: () => app.clock.nowMs() }, client, {
        parameters,
        redirectUri,
        challenge,
      }),
  };
}

const refused = (code: string) =>
  new OAuthError('refused', code, 'This sign-in has expired or was started in another browser. Start again.');
