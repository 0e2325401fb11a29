import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { findAvatar } from './store/avatars.ts';

/** A picture for whoever knows its name. It never changes: another picture has another name. */
export async function serveAvatar({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  const { file = '' } = params;
  // PostgreSQL has no NUL in texts
  const bytes = /^[\w-]+\.webp$/.test(file) ? await findAvatar(db, file) : null;
  if (bytes === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such picture.');
  return {
    status: 200,
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
    body: bytes,
  };
}
