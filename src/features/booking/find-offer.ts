import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { findPublicType, type PublicType } from './find-public-type.ts';

/**
 * Finds the event type at an address as calls name it: `l` before the token of a link. *Errors*: AppError not-found.
 */
export async function findOffer(
  app: Pick<App, 'db' | 'clock'>,
  { handle, slug }: { handle: string; slug: string },
): Promise<PublicType> {
  const found = await findPublicType(app, handle === 'l' ? { token: slug } : { handle, slug });
  if (found === null) throw new AppError('not-found', 'NOT_FOUND', "There's nothing to book at this address.");
  return found;
}
