import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { findBrandPicture } from '#platform/brand.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';

/** A logo, or the icon of the install; it never changes, as another has another name. *Errors*: AppError not-found. */
export async function serveBrand({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  const [, file, icon] = /^([a-z0-9]{32})(-icon)?\.png$/.exec(params.file ?? '') ?? [];
  const bytes = file === undefined ? null : await findBrandPicture(db, file, icon === undefined ? 'logo' : 'icon');
  if (bytes === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such picture.');
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
    body: bytes,
  };
}
