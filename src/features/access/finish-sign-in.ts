import { openSession } from '#features/accounts/public.ts';
import type { KnownUser } from '#features/accounts/rules/profile.ts';
import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { toSignedIn } from './rules/signed-in.ts';

/** How somebody has proved who they are, as far as they have. */
export interface Proof {
  /** The door: `password`, `passkey`, `google`, ... */
  method: string;
  /** Whether a second factor was part of it already. */
  secondFactor: boolean;
  /** What they asked for: the rights of an administrator, or none. */
  door: 'user' | 'admin';
  request: RequestFacts;
}

/** The last step of every way in: what it answers is what a sign-in answers. */
export async function finishSignIn(
  _app: Pick<App, 'db'>,
  tx: Tx,
  user: KnownUser,
  proof: Proof,
): Promise<Output<typeof accessContract.login>> {
  const { method, secondFactor, request } = proof;
  return toSignedIn('Login successful', user, await openSession(tx, user, { method, secondFactor, request }));
}
