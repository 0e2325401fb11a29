import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { spendOnce } from '#platform/spend-once.ts';
import { challengeNote, type PosedChallenge } from './pose-challenge.ts';

/**
 * The challenge that this browser was posed, once: an answer to it that was overheard proves nothing afterwards.
 * *Errors*: AppError gone (CHALLENGE_ENDED): none, another purpose, older than five minutes, or answered before.
 */
export async function takeChallenge(
  app: Pick<App, 'db' | 'clock'>,
  note: BrowserNote,
  purpose: string,
): Promise<string> {
  const text = note.take(challengeNote);
  const posed = text === null ? null : (JSON.parse(text) as PosedChallenge);
  if (
    posed === null ||
    posed.purpose !== purpose ||
    posed.expiresMs <= app.clock.nowMs() ||
    !(await spendOnce(app.db, posed.challenge))
  ) {
    throw new AppError('gone', 'CHALLENGE_ENDED', 'This took too long or was begun elsewhere. Please try again.');
  }
  return posed.challenge;
}
