import type { App } from '#platform/app.ts';
import { revokeGrant } from '#platform/oauth.ts';
import { OAuthError } from '#platform/oauth-server.ts';
import { isOAuthProvider } from '#providers/registry.ts';
import { findOAuthAccess } from './find-oauth-access.ts';
import { revocationPlace } from './rules.ts';
import { deleteRevocation, findRevocation } from './store/revocations.ts';

/**
 * Tells a provider that access is not needed any more, where it can be told. The token is forgotten in any case, at the
 * latest with the last attempt.
 */
export async function revokeAccess(app: App, id: string, isLast: boolean): Promise<void> {
  const row = await findRevocation(app.db, id);
  if (row === null) return;
  const { provider, profile } = row;
  const access = isOAuthProvider(provider) ? await findOAuthAccess(app, { provider, profile }) : null;
  if (access !== null && !row.isShared) {
    try {
      const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
      await revokeGrant(calls, access.client, app.keyring.open(row.token, revocationPlace(id)));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      app.log.warn({ provider, code: error.code, isLast }, 'access was not given back to its provider');
      if (error.fault === 'transient' && !isLast) throw error;
    }
  }
  await deleteRevocation(app.db, id);
}
