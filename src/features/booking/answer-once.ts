import { randomUUID } from 'node:crypto';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { findKeptAnswer } from './find-kept-answer.ts';
import { answerPlace } from './rules/booking-address.ts';
import { claimKey, type KeyedRequest, keepAnswer } from './store/booking-answers.ts';

/**
 * Makes an answer under the key of its request: whoever asks again at the same time waits, and is given the same.
 * *Errors*: AppError unprocessable (KEY_REUSED).
 */
export async function answerOnce<T>(
  app: App,
  tx: Tx,
  request: KeyedRequest | null,
  make: () => Promise<T>,
): Promise<T> {
  if (request === null) return make();
  const id = randomUUID();
  if (!(await claimKey(tx, id, request, app.clock.nowMs()))) {
    const kept = await findKeptAnswer<T>(app, tx, request);
    if (kept === null) throw new Error('a key is claimed and not answered');
    return kept;
  }
  const answer = await make();
  await keepAnswer(tx, id, app.keyring.seal(JSON.stringify(answer), answerPlace(id)));
  return answer;
}
