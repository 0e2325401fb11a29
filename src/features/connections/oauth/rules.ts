import { ProviderError } from '#kernel/errors.ts';

/** The outcome that a browser brings back to the page it left from. */
interface Outcome {
  connected: string;
  status: 'success' | 'error';
  message?: string;
}

/** Data that travels with the browser to the provider and back. */
export interface JourneyState {
  returnUrl: string;
  profile: string;
  /** The account to be connected again; null for a new one. */
  accountId: string | null;
}

/**
 * One of our own pages, or null. Another host, another scheme, and what only looks like ours is none. While developing,
 * pages come from another port.
 */
export function returnAddress(
  wanted: string | undefined,
  { publicUrl, environment }: { publicUrl: string; environment: string },
): string | null {
  if (wanted === undefined || wanted === '') return `${publicUrl}/integrations`;
  const url = URL.parse(wanted, publicUrl);
  if (url === null || !isOurs(url, new URL(publicUrl), environment) || url.username !== '' || url.password !== '')
    return null;
  return url.href;
}

function isOurs(url: URL, own: URL, environment: string): boolean {
  if (environment === 'development') return url.hostname === own.hostname && url.protocol === own.protocol;
  return url.origin === own.origin;
}

export function withOutcome(returnUrl: string, outcome: Outcome): string {
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}

export const redirectUriOf = (publicUrl: string, provider: string) => `${publicUrl}/provider/${provider}/callback`;

/** Binds a journey to its use, its provider and its person. */
export const journeyPurpose = (provider: string, userId: string) => `connect ${provider} ${userId}`;

/** The message after a refusal of an authorization server: the event, the state of the data, the next step. */
export interface Reason {
  code: string;
  message: string;
}

const kept = 'Your calendars, mirrors and history are safe. Syncing resumes when you reconnect.';

/** The grant is gone. `word` is the server's, with its subtype or AADSTS number. */
export function grantFailure(service: string, word: string): Reason {
  if (word.includes('invalid_rapt')) {
    return {
      code: 'SESSION_POLICY',
      message: `Your organization's ${service} Workspace session policy ended our access. It requires you to sign in again regularly. ${kept}`,
    };
  }
  // 50076, 50079: a second factor; 53003: conditional access
  if (/AADSTS(50076|50079|53003)\b/.test(word) || word.startsWith('interaction_required')) {
    return {
      code: 'SIGN_IN_AGAIN',
      message: `Your organization requires you to sign in at ${service} again. You may need a second factor. ${kept}`,
    };
  }
  if (/AADSTS65001\b/.test(word) || word.startsWith('consent_required')) {
    return { code: 'CONSENT_GONE', message: `Holdfast's access was revoked at ${service}. ${kept}` };
  }
  return {
    code: 'GRANT_GONE',
    message: `${service} no longer gives us access. It was revoked there, or wasn't used for too long. ${kept}`,
  };
}

/** Our own registration is refused: nobody who connected can do anything about it. */
export function clientFailure(service: string, word: string): Reason {
  return {
    code: 'CLIENT_REFUSED',
    message: `${service} doesn't accept this server's registration (${word}). Ask your administrator to fix it. Your account stays connected.`,
  };
}

export function serverFailure(service: string): Reason {
  return { code: 'TOKEN_SERVER', message: `${service}'s sign-in service isn't responding. We'll try again.` };
}

/** The person left something unticked: connected, but not enough to work with. */
export function scopesMissing(service: string, missing: readonly { meaning: string }[]): Reason {
  const rights = missing.map(({ meaning }) => `“${meaning}”`).join(', ');
  return {
    code: 'SCOPES_MISSING',
    message: `${service} is connected, but some permissions are missing: ${rights}. Reconnect and check every box there to start syncing.`,
  };
}

/** Error of an account that this install can no longer sign in to; stored data stays. */
export function notUsable(service: string, profile: string): ProviderError {
  if (profile === 'simulated') {
    return new ProviderError(
      'auth',
      'SIMULATION_OFF',
      'Simulated accounts are turned off on this server. Existing events are kept.',
    );
  }
  const { code, message } = clientFailure(service, 'it has none');
  return new ProviderError('transient', code, message, { retryAfterMs: 300_000 });
}
