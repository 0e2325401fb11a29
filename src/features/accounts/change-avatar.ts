import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { drawSquare } from '#platform/picture.ts';
import { profileTopic } from './events.ts';
import { deleteAvatar, saveAvatar } from './store/avatars.ts';

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
