import type { OAuthProviderName } from '../../src/providers/registry.ts';

export interface Consent {
  provider: OAuthProviderName;
  /** Account to sign in with. */
  account: string;
  /** The connected account that is to be connected again. */
  accountId?: string | undefined;
}

/**
 * Follows the product to an emulated provider in the session's browser, consents there, and returns. Gives the
 * parameters with which the product sent the browser back.
 */
export async function giveConsent(
  publicUrl: string,
  sessionToken: string,
  { provider, account, accountId }: Consent,
): Promise<URLSearchParams> {
  const headers = { authorization: `Bearer ${sessionToken}`, accept: 'text/html' };
  const again = accountId === undefined ? '' : `?accountId=${accountId}`;
  const start = await fetch(`${publicUrl}/provider/${provider}/start${again}`, { headers, redirect: 'manual' });
  const cookie = start.headers.getSetCookie().map((line) => line.split(';')[0]);
  const page = start.headers.get('location') ?? '';
  const back = await answerThere(new URL(page), account);
  const end = await fetch(back, { headers: { ...headers, cookie: cookie.join('; ') }, redirect: 'manual' });
  return new URL(end.headers.get('location') ?? '', publicUrl).searchParams;
}

export interface Decision {
  decision?: 'allow' | 'deny';
  /** The right whose name ends so is not ticked. */
  without?: string;
}

/** Submits an emulated provider's consent page; returns the address that the browser is sent to. */
export async function answerThere(
  page: URL,
  account: string,
  { decision = 'allow', without }: Decision = {},
): Promise<URL> {
  const form = new URLSearchParams({ account, decision });
  for (const scope of (page.searchParams.get('scope') ?? '').split(' ')) {
    if (without === undefined || !scope.endsWith(without)) form.append('scope', scope);
  }
  const answer = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}
