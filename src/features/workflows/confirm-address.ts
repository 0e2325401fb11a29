import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashAddressCode } from './hash-address-code.ts';
import { takeCode } from './store/address-rows.ts';

const codeUseMs = 3_600_000;
const mostTries = 5;

/** *Errors*: AppError invalid (`WRONG_CODE`). */
export async function confirmAddress(
  app: App,
  { userId }: Actor,
  { address, code }: { address: string; code: string },
): Promise<void> {
  const nowMs = app.clock.nowMs();
  const taken = await takeCode(app.db, {
    userId,
    address: canonicalEmail(address) ?? address,
    codeHash: hashAddressCode(userId, code),
    nowMs,
    sinceMs: nowMs - codeUseMs,
    most: mostTries,
  });
  if (!taken)
    throw new AppError(
      'invalid',
      'WRONG_CODE',
      'This is not the code, or it has ended: it is good for an hour and five tries. Nothing was changed.',
      { fields: { code: 'This is not the code.' } },
    );
}
