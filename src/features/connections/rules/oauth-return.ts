/** The outcome that a browser brings back to the page it left from. */
export interface Outcome {
  connected: string;
  status: 'success' | 'error';
  message?: string;
}

/** Data that travels with the browser to the provider and back. */
export interface Luggage {
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
