import { recordAccountEvent } from '#features/accounts/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import { isSimulatedSignInOn } from '#features/simulation/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Config } from '#platform/config.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { notifyByMail } from '../access.ts';
import type { accessContract } from '../contract.ts';
import { type SignInProvider, signInServices, usableProviders } from '../rules/sign-in-providers.ts';
import { countSignInMethods } from '../store/sign-in-methods.ts';

/** Which providers this install can sign people in at. Nobody else is asked. */
export function listSignInMethods(config: Config): Output<typeof accessContract.readSignInMethods> {
  const ofCalendars = (provider: 'google' | 'microsoft') => {
    if (config[provider] !== undefined) return 'on' as const;
    return isSimulatedSignInOn(config) ? ('simulated' as const) : ('off' as const);
  };
  return {
    google: ofCalendars('google'),
    microsoft: ofCalendars('microsoft'),
    apple: config.apple === undefined ? 'soon' : 'on',
    zoho: config.zoho === undefined ? 'soon' : 'on',
  };
}

/**
 * After a way in was taken away in this transaction, under `lockSignInMethods`: lets only somebody through who has another one
 * that works here and now. *Errors*: AppError conflict (LAST_WAY_IN); declare it in the endpoint's contract.
 */
export async function requireSignInMethod({ config }: Pick<App, 'config'>, tx: Tx, userId: UserId): Promise<void> {
  const usable = usableProviders(listSignInMethods(config));
  if ((await countSignInMethods(tx, userId, usable)) > 0) return;
  throw new AppError(
    'conflict',
    'LAST_WAY_IN',
    'This is your only way to sign in. Set a password, add a passkey or link an account first.',
  );
}

/** A way into an account that was given or taken away. `name` is what its person knows it by. */
type ChangedSignInMethod =
  | { kind: 'passkey-added' | 'passkey-removed'; name: string }
  | { kind: 'identity-linked' | 'identity-unlinked'; name: string; provider: SignInProvider };

/** Records the change and mails the person: a method that somebody else added outlives a new password. */
export async function notifyOfSignInMethod(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  userId: UserId,
  { kind, ...details }: ChangedSignInMethod,
  request: RequestFacts,
): Promise<void> {
  await recordAccountEvent(tx, { userId, kind, request, details });
  const user = await findUser(tx, userId);
  if (user === undefined) return;
  const about = 'provider' in details ? `${signInServices[details.provider]}: ${details.name}` : details.name;
  const fact = 'provider' in details ? 'identity' : 'passkey';
  await notifyByMail(app, tx, user, kind, request, { fact, name: about });
}
