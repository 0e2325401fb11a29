import { claimFirst, hasAdministrator } from '#features/accounts/users/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserRole } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { isSameSecret } from '#platform/crypto.ts';
import type { Tx } from '#platform/db.ts';
import { setUpToken } from './find-set-up-link.ts';
import { spendSetUp } from './store/set-up.ts';

/**
 * The role of a new account. On a loopback install the first account is the administrator. On a reachable server only
 * the holder of the set-up link is, once.
 * *Errors*: AppError forbidden (SET_UP_ENDED) for a set-up link that is not ours or was used.
 */
export async function chooseRole(
  app: Pick<App, 'config' | 'keyring'>,
  tx: Tx,
  setUp: string | undefined,
): Promise<UserRole> {
  if (setUp === undefined) return !app.config.hasPublicUrl && (await claimFirst(tx)) ? 'admin' : 'user';
  if (isSameSecret(setUp, setUpToken(app)) && !(await hasAdministrator(tx)) && (await spendSetUp(tx))) return 'admin';
  throw new AppError(
    'forbidden',
    'SET_UP_ENDED',
    'This set-up link has been used or is not of this server. No account was made; sign up without it.',
  );
}
