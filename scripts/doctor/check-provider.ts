import { redirectUriOf as signInUriOf } from '#features/access/rules/provider-return.ts';
import { redirectUriOf } from '#features/connections/oauth/rules.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { Config } from '#platform/config.ts';
import { refreshGrant, startAuthorization } from '#platform/oauth.ts';
import { type OAuthAccess, OAuthError } from '#platform/oauth-server.ts';
import { type OAuthProviderName, oauthAccessOf, oauthServices } from '#providers/registry.ts';
import type { Finding } from './finding.ts';

const consoles: Record<OAuthProviderName, string> = {
  google: 'Google Cloud console, APIs & Services, Credentials',
  microsoft: 'Entra admin center, App registrations',
};

/**
 * Whether the operator's registration at Google or Microsoft is accepted, and whether the provider knows our way back.
 * Nobody signs in for it: a made-up token is refused in other words by a server that knows the client.
 */
export async function checkProvider(config: Config, provider: OAuthProviderName, fetch: ApiFetch): Promise<Finding[]> {
  const subject = oauthServices[provider];
  const registration = config[provider];
  if (registration === undefined) {
    const names = `${provider.toUpperCase()}_CLIENT_ID and ${provider.toUpperCase()}_CLIENT_SECRET`;
    return [
      {
        subject,
        state: 'note',
        says: 'is not set up, so users cannot connect its accounts',
        mend: `Register this server (see docs/providers.md), then set ${names}.`,
      },
    ];
  }
  const access = oauthAccessOf(provider, config.endpoints[provider], config.microsoft?.tenant);
  const client = { server: access.server, ...registration };
  const calls = { fetch, nowMs: () => Date.now() };
  try {
    await refreshGrant(calls, client, 'holdfast-doctor-asks-whether-the-client-is-known');
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error.fault === 'client') {
      return [
        {
          subject,
          state: 'bad',
          says: `does not accept the client ID and secret (${error.code})`,
          mend: `Copy both again from the ${consoles[provider]}. The secret may have expired.`,
        },
      ];
    }
    if (error.fault === 'transient') {
      return [
        {
          subject,
          state: 'bad',
          says: `${new URL(access.server.tokenEndpoint).host} does not answer: ${error.message}`,
          mend: 'Check the internet access of this machine, and the *_TOKEN_URL setting if you use one.',
        },
      ];
    }
  }
  return [
    { subject, state: 'ok', says: 'accepts the client ID and secret' },
    await checkWayBack(subject, provider, { access, client, uri: redirectUriOf(config.publicUrl, provider) }, fetch),
    await checkWayBack(subject, provider, { access, client, uri: signInUriOf(config.publicUrl, provider) }, fetch),
    ...(provider === 'google' ? [publishingNote(subject)] : []),
  ];
}

interface Asked {
  access: OAuthAccess;
  client: Parameters<typeof startAuthorization>[0];
  uri: string;
}

/** Asks for the sign-in page as a browser would; a way back that is not registered is refused there. */
async function checkWayBack(
  subject: string,
  provider: OAuthProviderName,
  { access, client, uri }: Asked,
  fetch: ApiFetch,
): Promise<Finding> {
  const { url } = await startAuthorization(client, { redirectUri: uri, scopes: access.scopes });
  const told = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    .then(async (answer) => `${answer.headers.get('location') ?? ''} ${await answer.text()}`)
    .catch(() => null);
  if (told === null) return { subject, state: 'note', says: 'this machine could not read its sign-in page' };
  if (/redirect_uri_mismatch|AADSTS50011/.test(told + decodeErrors(told))) {
    return {
      subject,
      state: 'bad',
      says: 'does not know our redirect URI',
      mend: `Add exactly this redirect URI in the ${consoles[provider]}: ${uri}`,
    };
  }
  return { subject, state: 'ok', says: `its sign-in page opens; the redirect URI is ${uri}` };
}

/** Google sends a browser to a page whose address holds the error in base64. */
function decodeErrors(text: string): string {
  const found = /[?&]authError=([^&\s"]+)/.exec(text)?.[1];
  return found === undefined ? '' : Buffer.from(decodeURIComponent(found), 'base64').toString('latin1');
}

/** Google does not tell it to the client, and it bites a week later. */
const publishingNote = (subject: string): Finding => ({
  subject,
  state: 'note',
  says: 'does not report its publishing status: in "Testing", every account has to reconnect after 7 days',
  mend: 'Publish the app ("In production") in the Google Cloud console, under OAuth consent screen, Audience.',
});
