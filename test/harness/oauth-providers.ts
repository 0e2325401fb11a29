import { type LaunchedGoogle, launchGoogle } from '../../src/emulators/google/launch.ts';
import { type Clock, createClock } from '../../src/emulators/kit/clock.ts';
import { launchMicrosoft, type MicrosoftEmulator } from '../../src/emulators/microsoft/launch.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';

/** Google and Microsoft on ports of this machine, as an operator would configure the real ones. */
export interface OAuthProviders {
  google: LaunchedGoogle;
  microsoft: MicrosoftEmulator;
  /** The environment of a process that uses them. */
  env: Record<string, string>;
  /** The config that such a process reads from it. */
  config: Pick<Config, 'google' | 'microsoft' | 'endpoints'>;
  close(): Promise<void>;
}

const clientId = 'holdfast.example';
const secret = 'emulated-secret';

/** Starts both providers; they send browsers back to the product at this address. */
export async function launchOAuthProviders(
  publicUrl: string,
  newClock: () => Clock = createClock,
): Promise<OAuthProviders> {
  const [google, microsoft] = await Promise.all([
    launchGoogle({ clock: newClock() }),
    launchMicrosoft({ clock: newClock() }),
  ]);
  const redirectUrisOf = (provider: string) => [
    `${publicUrl}/provider/${provider}/callback`,
    `${publicUrl}/auth/oauth/${provider}/callback`,
  ];
  await google.control.knobs({ clients: { [clientId]: { secret, redirectUris: redirectUrisOf('google') } } });
  await microsoft.control.seed({ apps: [{ clientId, secret, redirectUris: redirectUrisOf('microsoft') }] });
  const { authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer } = google.endpoints;
  const env = {
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: secret,
    GOOGLE_API_URL: google.baseUrl,
    GOOGLE_AUTHORIZE_URL: authorizeUrl,
    GOOGLE_TOKEN_URL: tokenUrl,
    GOOGLE_REVOKE_URL: revokeUrl,
    GOOGLE_JWKS_URL: jwksUrl,
    GOOGLE_ISSUER: issuer,
    MICROSOFT_CLIENT_ID: clientId,
    MICROSOFT_CLIENT_SECRET: secret,
    MICROSOFT_API_URL: microsoft.urls.graphBase,
    MICROSOFT_LOGIN_URL: microsoft.baseUrl,
  };
  const { google: atGoogle, microsoft: atMicrosoft, endpoints } = loadConfig({ NODE_ENV: 'test', ...env });
  return {
    google,
    microsoft,
    env,
    config: { google: atGoogle, microsoft: atMicrosoft, endpoints },
    close: async () => void (await Promise.all([google.close(), microsoft.close()])),
  };
}
