import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { listSignInMethods } from './list-sign-in-methods.ts';
import { usableProviders } from './rules/sign-in-providers.ts';
import { countWaysIn } from './store/ways-in.ts';

/**
 * After a way in was taken away in this transaction, under `lockWaysIn`: lets only somebody through who has another one
 * that works here and now. *Errors*: AppError conflict (LAST_WAY_IN); declare it in the endpoint's contract.
 */
export async function demandWayIn({ config }: Pick<App, 'config'>, tx: Tx, userId: UserId): Promise<void> {
  const usable = usableProviders(listSignInMethods(config));
  if ((await countWaysIn(tx, userId, usable)) > 0) return;
  throw new AppError(
    'conflict',
    'LAST_WAY_IN',
    'This is the only way into your account. Nothing was changed: set a password, add a passkey or link an account first.',
  );
}
