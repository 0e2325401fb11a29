import type { OAuthProviderName } from '../../src/providers/registry.ts';

export interface Consent {
  provider: OAuthProviderName;
  /** Who signs in there. */
  account: string;
  /** The connected account that is to be connected again. */
  accountId?: string | undefined;
}

/**
 * As the browser of whoever owns this session: follows the product to an emulated provider, says yes there, and comes
 * back. Gives what the product sent the browser back with.
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
  const form = new URLSearchParams({ account, decision: 'allow' });
  for (const scope of (new URL(page).searchParams.get('scope') ?? '').split(' ')) form.append('scope', scope);
  const allowed = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const back = allowed.headers.get('location') ?? '';
  const end = await fetch(back, { headers: { ...headers, cookie: cookie.join('; ') }, redirect: 'manual' });
  return new URL(end.headers.get('location') ?? '', publicUrl).searchParams;
}
