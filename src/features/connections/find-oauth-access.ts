import type { App } from '#platform/app.ts';
import type { Config } from '#platform/config.ts';
import type { OAuthAccess, OAuthClient } from '#platform/oauth-server.ts';
import { type OAuthProviderName, oauthAccessOf } from '#providers/registry.ts';

export interface UsableAccess extends OAuthAccess {
  client: OAuthClient;
}

/** Made once per process: a server's signing keys are kept with it. */
const known = new WeakMap<Config, Map<string, UsableAccess | null>>();

/** How accounts of this kind sign in, or null where the operator has not registered this install there. */
export async function findOAuthAccess(
  app: Pick<App, 'config'>,
  { provider }: { provider: OAuthProviderName; profile: string },
): Promise<UsableAccess | null> {
  const ofConfig = known.get(app.config) ?? new Map<string, UsableAccess | null>();
  known.set(app.config, ofConfig);
  let found = ofConfig.get(provider);
  if (found === undefined) {
    found = readAccess(app.config, provider);
    ofConfig.set(provider, found);
  }
  return found;
}

function readAccess(config: Config, provider: OAuthProviderName): UsableAccess | null {
  const registration = config[provider];
  if (registration === undefined) return null;
  const tenant = provider === 'microsoft' ? config.microsoft?.tenant : undefined;
  const access = oauthAccessOf(provider, config.endpoints[provider], tenant);
  const { clientId, clientSecret } = registration;
  return { ...access, client: { server: access.server, clientId, clientSecret } };
}
