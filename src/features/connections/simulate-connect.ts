import { loadOwner } from '#features/accounts/public.ts';
import { openSimulation } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { finishAuthorization, startAuthorization } from '#platform/oauth.ts';
import type { OAuthProviderName } from '#providers/registry.ts';
import { findOAuthAccess } from './find-oauth-access.ts';
import { keepGrant } from './keep-grant.ts';
import { redirectUriOf } from './rules/oauth-return.ts';

/**
 * Connects an account that nobody has: the emulated provider makes one, its person consents at once, and from there on
 * it is an account like any other, with the adapters, tokens and limits of the real thing.
 *
 * *Errors*: AppError not-found where simulated accounts are switched off.
 */
export async function simulateConnect(app: App, actor: Actor, provider: OAuthProviderName): Promise<ConnectionId> {
  const kind = { provider, profile: 'simulated' };
  const [simulation, access] = await Promise.all([openSimulation(app, provider), findOAuthAccess(app, kind)]);
  if (simulation === null || access === null) throw new AppError('not-found', 'NOT_FOUND', 'There is nothing here.');
  const account = await simulation.addAccount(await loadOwner(app.db, actor.userId));
  const redirectUri = redirectUriOf(app.config.publicUrl, provider);
  const { scopes, client } = access;
  const { url, challenge } = await startAuthorization(client, { redirectUri, scopes, loginHint: account });
  const parameters = await simulation.consent(url, account);
  const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
  const granted = await finishAuthorization(calls, client, { parameters, redirectUri, challenge });
  const { id } = await keepGrant(app, actor.userId, { ...kind, accountId: null }, access, granted);
  return id;
}
