import type { App } from '#platform/app.ts';
import { isOAuthProvider } from '#providers/registry.ts';
import { findOAuthAccess } from './find-oauth-access.ts';
import type { Connection } from './store/connections.ts';

/** Where an account is: its own server, or its provider's API. */
export async function loadBaseUrl(
  app: Pick<App, 'config' | 'log' | 'clock'>,
  { provider, profile, baseUrl }: Connection,
): Promise<string> {
  if (!isOAuthProvider(provider)) return baseUrl ?? '';
  const access = await findOAuthAccess(app, { provider, profile });
  // without a registration no token is given out, so nothing is sent
  return access?.apiUrl ?? 'https://not-registered.invalid';
}
