import { AppError, ProviderError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { CaldavAccount, CaldavProfileName } from '#providers/registry.ts';
import { caldavProfiles, discoverCaldav } from '#providers/registry.ts';
import { loadProviderContext } from './load-provider-context.ts';
import { connectFailure } from './rules.ts';

/** A person is waiting; servers that need longer than this are treated as out of reach. */
const deadlineMs = 30_000;

/** Finds what stands behind an address and a password, or says why not in the person's words. */
export async function discoverAccount(
  app: Pick<App, 'db' | 'keyring' | 'connectionFetch' | 'apiFetch' | 'clock'>,
  input: { profile: CaldavProfileName; url: string; username: string; password: string },
): Promise<CaldavAccount> {
  const { caldavHttp } = await loadProviderContext(app);
  try {
    return await discoverCaldav({
      address: input.url,
      username: input.username,
      password: input.password,
      profile: caldavProfiles[input.profile],
      http: caldavHttp,
      signal: AbortSignal.timeout(deadlineMs),
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, code, message } = connectFailure(error);
    const field = code === 'WRONG_PASSWORD' ? 'password' : 'url';
    throw new AppError(kind, code, message, { cause: error, fields: { [field]: message } });
  }
}
