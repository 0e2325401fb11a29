import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { answerPlace } from './rules/booking-address.ts';
import { findAnswer, type KeyedRequest } from './store/booking-answers.ts';

/** Returns the stored answer to the same request; null for a new one. *Errors*: AppError unprocessable (KEY_REUSED). */
export async function findKeptAnswer<T>(
  app: Pick<App, 'keyring'>,
  db: Database,
  request: KeyedRequest | null,
): Promise<T | null> {
  const kept = request === null ? null : await findAnswer(db, request);
  if (request === null || kept === null) return null;
  if (!kept.bodyHash.equals(request.bodyHash)) {
    // an answer is kept with what it made: the browser of a guest may have lost it
    const message =
      'You were already booked with the details you entered first. Check your email before you book again.';
    throw new AppError('unprocessable', 'KEY_REUSED', message);
  }
  return JSON.parse(app.keyring.open(kept.answer, answerPlace(kept.id))) as T;
}
