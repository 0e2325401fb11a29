import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { FetchError } from '#platform/fetch.ts';
import { takeAllowance } from '#platform/limits.ts';
import { drawSquare, pictureMostBytes } from '#platform/picture.ts';
import { pictureAnswer } from '#platform/picture-answer.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { profileTopic } from '../events.ts';
import { deleteAvatar, findAvatar, saveAvatar } from '../store/avatars.ts';

/** As large as it is ever shown, on a screen with two pixels for one. */
const sidePixels = 256;
const changes = { action: 'changing the avatar', burst: 20, periodSeconds: 3_600 };

/**
 * Another picture of oneself, or none. *Errors*: AppError invalid (PICTURE_TYPE, PICTURE_SIZE, PICTURE_BROKEN), limited.
 */
export async function changeAvatar(
  app: Pick<App, 'db' | 'feed'>,
  { userId }: Actor,
  picture: Uint8Array | null,
): Promise<void> {
  if (picture !== null) await takeAllowance(app.db, changes, userId);
  const bytes = picture === null ? null : await drawSquare(picture, sidePixels);
  await inTransaction(app.db, async (tx) => {
    if (bytes === null) await deleteAvatar(tx, userId);
    else await saveAvatar(tx, { userId, file: `${mintToken()}.webp`, bytes });
    await app.feed.publish(tx, userId, profileTopic);
  });
}

const timeoutMs = 10_000;
const fetches = { action: 'fetching an avatar', burst: 10, periodSeconds: 3_600 };

/**
 * A picture from an address that a person names, to be kept here: browsers that look at it never call that address. A
 * forbidden address gives the same refusal as a silent one.
 *
 * *Errors*: AppError invalid (PICTURE_UNREACHABLE), limited.
 */
export async function fetchAvatar(app: Pick<App, 'db' | 'fetch'>, { userId }: Actor, url: string): Promise<Uint8Array> {
  const unreachable = (cause?: unknown) =>
    new AppError('invalid', 'PICTURE_UNREACHABLE', "We couldn't find a picture at this address. Upload it instead.", {
      cause,
      fields: { avatarUrl: "We couldn't find a picture at this address." },
    });
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

/** Serves a picture by its name, which is secret. *Errors*: AppError not-found. */
export function serveAvatar({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  return pictureAnswer(params.file, (file) => findAvatar(db, file));
}
