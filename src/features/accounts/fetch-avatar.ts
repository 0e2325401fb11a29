import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { FetchError } from '#platform/fetch.ts';
import { takeAllowance } from '#platform/limits.ts';
import { pictureMostBytes } from '#platform/picture.ts';

const timeoutMs = 10_000;
const fetches = { action: 'fetching an avatar', burst: 10, periodSeconds: 3_600 };

/**
 * A picture from an address that a person names, to be kept here: browsers that look at it never call that address. What
 * may not be reached is told apart from what does not answer by nobody.
 *
 * *Errors*: AppError invalid (PICTURE_UNREACHABLE), limited.
 */
export async function fetchAvatar(app: Pick<App, 'db' | 'fetch'>, { userId }: Actor, url: string): Promise<Uint8Array> {
  const unreachable = (cause?: unknown) =>
    new AppError(
      'invalid',
      'PICTURE_UNREACHABLE',
      'There is no picture to be had at this address. Upload it instead.',
      {
        cause,
        fields: { avatarUrl: 'There is no picture to be had at this address.' },
      },
    );
  await takeAllowance(app.db, fetches, userId);
  try {
    const answer = await app.fetch.request({ url, maxBytes: pictureMostBytes, timeoutMs });
    if (answer.status !== 200) throw unreachable();
    return answer.bytes;
  } catch (error) {
    if (error instanceof FetchError) throw unreachable(error);
    throw error;
  }
}
