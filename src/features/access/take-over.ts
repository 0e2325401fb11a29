import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { hashToken, isSameSecret } from '#platform/crypto.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { spendOnce } from '#platform/spend-once.ts';
import { type Arrived, type HandedOver, handOverPurpose } from './rules/handed-over.ts';
import type { SignInProvider } from './rules/sign-in-providers.ts';

/**
 * The person who came back from this provider in this browser, for the token that `handOver` gave.
 * *Errors*: AppError gone (`SIGN_IN_ENDED`): another browser's, another provider's, an old one, or used before.
 */
export async function takeOver(
  app: Pick<App, 'db' | 'clock'>,
  note: BrowserNote,
  { token, provider }: { token: string; provider: SignInProvider },
): Promise<Arrived> {
  const text = note.take();
  const kept = text === null ? null : (JSON.parse(text) as HandedOver);
  const isGood =
    kept !== null &&
    kept.purpose === handOverPurpose(provider) &&
    isSameSecret(kept.token, hashToken(token).toString('base64url')) &&
    kept.expiresMs > app.clock.nowMs() &&
    (await spendOnce(app.db, token));
  if (!isGood) {
    throw new AppError(
      'gone',
      'SIGN_IN_ENDED',
      'This sign-in was begun elsewhere, or too long ago. Nothing was changed: start again.',
    );
  }
  const { person, luggage } = kept;
  return { person, luggage };
}
