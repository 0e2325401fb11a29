import { AppError } from '#kernel/errors.ts';
import type { RawAnswer } from './raw-route.ts';

/**
 * Answers with a person's picture by its secret file name. The file never changes: another picture has another name.
 * *Errors*: AppError not-found.
 */
export async function pictureAnswer(
  file: string | undefined,
  find: (file: string) => Promise<Uint8Array | null>,
): Promise<RawAnswer> {
  // PostgreSQL has no NUL in texts
  const kind = file === undefined ? undefined : /^[\w-]+\.(webp|png)$/.exec(file)?.[1];
  const bytes = file === undefined || kind === undefined ? null : await find(file);
  if (bytes === null) throw new AppError('not-found', 'NOT_FOUND', 'Picture not found.');
  return {
    status: 200,
    headers: {
      'content-type': `image/${kind}`,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
    body: bytes,
  };
}
