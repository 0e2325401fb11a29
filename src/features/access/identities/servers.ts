import { createPrivateKey, sign } from 'node:crypto';
import { isSimulatedSignInOn, openSimulation } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { AppleRegistration, Config } from '#platform/config.ts';
import type { OAuthClient, OAuthServer } from '#platform/oauth-server.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { oauthAccessOf } from '#providers/registry.ts';
import { type SignInProvider, signInServices } from '../rules/sign-in-providers.ts';

interface SignInServer {
  /** For one use: Apple's secret is signed for each. */
  client(): OAuthClient;
  scopes: readonly string[];
  isSimulated: boolean;
}

type Found = Pick<App, 'config' | 'log' | 'clock'>;

/**
 * The authorization server at which the person in this browser signs in. A simulated one takes everybody at their word,
 * so it needs the key of the printed address.
 * *Errors*: AppError unavailable (NOT_CONFIGURED), forbidden (KEY_REQUIRED).
 */
export async function getSignInServer(app: Found, note: BrowserNote, provider: SignInProvider): Promise<SignInServer> {
  const service = signInServices[provider];
  const found = await findSignInServer(app, provider);
  if (found === null) {
    throw new AppError(
      'unavailable',
      'NOT_CONFIGURED',
      `${service} isn't set up on this server. Ask your administrator to set it up (see docs/providers.md).`,
    );
  }
  if (found.isSimulated && !note.hasOperatorKey()) {
    throw new AppError(
      'forbidden',
      'KEY_REQUIRED',
      `The simulated ${service} works only after you open the address printed when Holdfast started. Open it in this browser.`,
    );
  }
  return found;
}

async function findSignInServer(app: Found, provider: SignInProvider): Promise<SignInServer | null> {
  if (provider === 'apple') return findApple(app);
  if (provider === 'zoho') return findZoho(app.config);
  const registration: Registration | undefined = app.config[provider];
  if (registration !== undefined) {
    const { endpoints } = app.config;
    const server = serverOnce(registration, () => identityServer(provider, endpoints[provider], registration.tenant));
    return serverOf(server, registration, false);
  }
  const simulation = isSimulatedSignInOn(app.config) ? await openSimulation(app, provider) : null;
  if (simulation === null) return null;
  // the simulated provider needs an account to sign in with; this machine is the person's own
  await simulation.ensureAccount({ name: 'Alex Morgan', zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  const server = serverOnce(simulation, () => identityServer(provider, simulation.endpoints));
  return serverOf(server, simulation, true);
}

interface Registration {
  clientId: string;
  clientSecret: string;
  tenant?: string;
}

function serverOf(server: OAuthServer, registration: Registration, isSimulated: boolean): SignInServer {
  const { clientId, clientSecret } = registration;
  return { client: () => ({ server, clientId, clientSecret }), scopes: ['openid', 'email', 'profile'], isSimulated };
}

/** Made once per process and registration: a server's signing keys are kept with it. */
const known = new WeakMap<object, OAuthServer>();

function serverOnce(key: object, make: () => OAuthServer): OAuthServer {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/** Where calendars are connected, asked for less: who somebody is, and nothing for later. */
function identityServer(
  provider: 'google' | 'microsoft',
  endpoints: Readonly<Record<string, string>>,
  tenant?: string,
): OAuthServer {
  const { server } = oauthAccessOf(provider, endpoints, tenant);
  return { ...server, authorizationParameters: { response_mode: 'query', prompt: 'select_account' } };
}

/** *Source*: Apple, "Sign in with Apple REST API"; appleid.apple.com/.well-known/openid-configuration. */
function findApple({ config: { apple }, clock }: Found): SignInServer | null {
  if (apple === undefined) return null;
  const { url } = apple;
  const server = serverOnce(apple, () => ({
    issuer: url,
    authorizationEndpoint: `${url}/auth/authorize`,
    tokenEndpoint: `${url}/auth/token`,
    jwksUri: `${url}/auth/keys`,
    revocationEndpoint: null,
    // the one mode in which Apple tells an address: routes.ts takes the form
    authorizationParameters: { response_mode: 'form_post' },
  }));
  return {
    client: () => ({
      server,
      clientId: apple.clientId,
      clientSecret: signAppleSecret(apple, clock.nowMs()),
    }),
    scopes: ['openid', 'email', 'name'],
    isSimulated: false,
  };
}

/** *Source*: Zoho, "Sign in using Zoho (OIDC)". The accounts server is the one of the operator's region. */
function findZoho({ zoho }: Config): SignInServer | null {
  if (zoho === undefined) return null;
  const { url } = zoho;
  const server = serverOnce(zoho, () => ({
    issuer: url,
    authorizationEndpoint: `${url}/oauth/v2/auth`,
    tokenEndpoint: `${url}/oauth/v2/token`,
    jwksUri: `${url}/oauth/v2/keys`,
    revocationEndpoint: null,
    authorizationParameters: {},
  }));
  return serverOf(server, zoho, false);
}

/** Long enough for one exchange. Apple allows six months. */
const lifetimeSeconds = 300;

/**
 * The client secret for Apple: a statement signed with the key of the team.
 * *Source*: Apple, "Creating a client secret"; RFC 7515, ES256.
 */
export function signAppleSecret(registration: AppleRegistration, nowMs: number): string {
  const { clientId, teamId, keyId, privateKey, url } = registration;
  const iat = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: teamId, sub: clientId, aud: url, iat, exp: iat + lifetimeSeconds };
  const text = `${part({ alg: 'ES256', kid: keyId, typ: 'JWT' })}.${part(claims)}`;
  const key = { key: createPrivateKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
