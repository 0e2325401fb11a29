import { openSimulation } from '#features/simulation/public.ts';
import type { App } from '#platform/app.ts';
import type { Config } from '#platform/config.ts';
import type { OAuthAccess, OAuthClient } from '#platform/oauth-server.ts';
import { type OAuthProviderName, oauthAccessOf } from '#providers/registry.ts';

export interface UsableAccess extends OAuthAccess {
  client: OAuthClient;
}

export interface AccountKind {
  provider: OAuthProviderName;
  /** `simulated`: at the provider that this process emulates. */
  profile: string;
}

/** Made once per process and address: a server's signing keys are kept with it. */
const known = new WeakMap<object, UsableAccess>();

/**
 * How accounts of this kind sign in, or null where this install cannot: the operator has not registered it at the
 * provider, or simulated accounts are switched off.
 */
export async function findOAuthAccess(
  app: Pick<App, 'config' | 'log' | 'clock'>,
  { provider, profile }: AccountKind,
): Promise<UsableAccess | null> {
  if (profile === 'simulated') {
    const simulation = await openSimulation(app, provider);
    return simulation && accessOnce(simulation, () => accessOf(provider, simulation.endpoints, simulation));
  }
  const registration = app.config[provider];
  if (registration === undefined) return null;
  return accessOnce(registration, () => accessOf(provider, app.config.endpoints[provider], registration));
}

function accessOnce(key: object, make: () => UsableAccess): UsableAccess {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function accessOf(
  provider: OAuthProviderName,
  endpoints: Config['endpoints']['google'],
  registration: { clientId: string; clientSecret: string; tenant?: string },
): UsableAccess {
  const access = oauthAccessOf(provider, endpoints, registration.tenant);
  const { clientId, clientSecret } = registration;
  return { ...access, client: { server: access.server, clientId, clientSecret } };
}
