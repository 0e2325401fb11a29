import type { App } from '#platform/app.ts';
import { pictureAnswer } from '#platform/picture-answer.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { findLogo } from './store/logos.ts';

/** The picture of a team for whoever knows its name. *Errors*: AppError not-found. */
export function serveLogo({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  return pictureAnswer(params.file, (file) => findLogo(db, file));
}
