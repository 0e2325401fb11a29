import type { App } from '#platform/app.ts';
import { pictureAnswer } from '#platform/picture-answer.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { findAvatar } from './store/avatars.ts';

/** A picture for whoever knows its name. *Errors*: AppError not-found. */
export function serveAvatar({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  return pictureAnswer(params.file, (file) => findAvatar(db, file));
}
