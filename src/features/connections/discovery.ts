import { AppError, ProviderError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import {
  type CaldavAccount,
  type CaldavProfileName,
  caldavProfiles,
  discoverCaldav,
  feedUrlOf,
  openProvider,
} from '#providers/registry.ts';
import { getProviderContext } from './adapters.ts';
import { connectFailure } from './rules.ts';

/** A person is waiting; servers that need longer than this are treated as out of reach. */
const deadlineMs = 30_000;

/** Finds what stands behind an address and a password, or says why not in the person's words. */
export async function discoverAccount(
  app: Pick<App, 'db' | 'keyring' | 'connectionFetch' | 'apiFetch' | 'clock'>,
  { role }: Pick<Actor, 'role'>,
  input: { profile: CaldavProfileName; url: string; username: string; password: string },
): Promise<CaldavAccount> {
  const { caldavHttp } = await getProviderContext(app);
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
    const { kind, code, message } = connectFailure(refusalOf(error), role);
    const field = code === 'WRONG_PASSWORD' ? 'password' : 'url';
    throw new AppError(kind, code, message, { cause: error, fields: { [field]: message } });
  }
}

/**
 * The refusal of a provider. An attempt that its deadline cut off is one: the server sent its answer too slowly.
 * *Errors*: any other error, as it is.
 */
export function refusalOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ProviderError(
      'transient',
      'TIMEOUT',
      'The server took too long to respond. Check the address, or try again later.',
      { cause: error },
    );
  throw error;
}

/** A person is waiting. */

interface FoundFeed {
  url: string;
  calendar: RemoteCalendar;
}

/**
 * The calendar behind the address of a feed.
 *
 * *Errors*: AppError with a message at the field `url`.
 */
export async function discoverFeed(
  app: Pick<App, 'db' | 'keyring' | 'connectionFetch' | 'apiFetch' | 'clock'>,
  { role }: Pick<Actor, 'role'>,
  address: string,
): Promise<FoundFeed> {
  const url = feedUrlOf(address);
  if (url === null) {
    const message = 'Enter the address of a calendar feed. It begins with https:// or webcal://.';
    throw new AppError('invalid', 'NOT_A_FEED', message, { fields: { url: message } });
  }
  const provider = openProvider(
    { provider: 'ics', profile: 'generic', baseUrl: url, credential: { kind: 'address', url }, selfAddresses: [] },
    await getProviderContext(app),
  );
  try {
    const [calendar] = await provider.listCalendars(AbortSignal.timeout(deadlineMs));
    if (calendar === undefined) throw new Error('a feed is one calendar');
    return { url, calendar };
  } catch (error) {
    const { kind, code, message } = connectFailure(refusalOf(error), role);
    throw new AppError(kind, code, message, { cause: error, fields: { url: message } });
  }
}
