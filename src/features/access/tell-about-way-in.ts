import { recordAccountEvent } from '#features/accounts/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { type SignInProvider, signInServices } from './rules/sign-in-providers.ts';
import { tellByMail } from './tell-by-mail.ts';

/** A way into an account that was given or taken away. `name` is what its person knows it by. */
export type ChangedWayIn =
  | { kind: 'passkey-added' | 'passkey-removed'; name: string }
  | { kind: 'identity-linked' | 'identity-unlinked'; name: string; provider: SignInProvider };

/** Writes it on the trail, and to the address of the account: one that somebody else added outlives a new password. */
export async function tellAboutWayIn(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  userId: UserId,
  { kind, ...details }: ChangedWayIn,
  request: RequestFacts,
): Promise<void> {
  await recordAccountEvent(tx, { userId, kind, request, details });
  const user = await findUser(tx, userId);
  if (user === undefined) return;
  const about = 'provider' in details ? `${signInServices[details.provider]}: ${details.name}` : details.name;
  const fact = 'provider' in details ? 'identity' : 'passkey';
  await tellByMail(app, tx, user, kind, request, { fact, name: about });
}
