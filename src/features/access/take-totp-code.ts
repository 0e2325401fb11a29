import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { findTotpStep } from '#platform/totp.ts';
import { totpPlace } from './rules/second-factor.ts';
import { findTotpSecret, takeStep } from './store/totp.ts';

/**
 * Whether this is a code of somebody's authenticator app that has not been used, which it then is; callers side by side
 * get one yes between them. Count the guess first (`limitCodes`).
 */
export async function takeTotpCode(
  app: Pick<App, 'clock' | 'keyring'>,
  tx: Tx,
  userId: UserId,
  code: string,
): Promise<boolean> {
  const sealed = await findTotpSecret(tx, userId);
  if (sealed === null) return false;
  const step = findTotpStep(app.keyring.open(sealed, totpPlace(userId)), code, app.clock.nowMs());
  return step !== null && (await takeStep(tx, userId, step));
}
