import { redirectUriOf } from '#features/access/rules/provider-return.ts';
import { signInServices } from '#features/access/rules/sign-in-providers.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { Config } from '#platform/config.ts';
import type { Finding } from './finding.ts';

/**
 * Reports whether Apple and Zoho can be reached, if people sign in with them. Only a person can check whether they
 * accept our client.
 */
export async function checkSignIn(
  config: Config,
  provider: 'apple' | 'zoho',
  fetch: ApiFetch,
): Promise<Finding | null> {
  const registration = config[provider];
  if (registration === undefined) return null;
  const subject = signInServices[provider];
  const keys = `${registration.url}${provider === 'apple' ? '/auth/keys' : '/oauth/v2/keys'}`;
  const isThere = await fetch(keys, { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  const uri = redirectUriOf(config.publicUrl, provider);
  return isThere
    ? { subject, state: 'ok', says: `can be reached for sign-in; register the redirect URI ${uri}` }
    : {
        subject,
        state: 'bad',
        says: `${new URL(keys).host} does not answer, so users cannot sign in with ${subject}`,
        mend: `Check the internet access of this machine, and ${provider.toUpperCase()}_URL if it is set.`,
      };
}
