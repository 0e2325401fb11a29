import { getMfaSince } from '#features/accounts/users/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accessContract } from './contract.ts';
import { hasPasskey } from './store/passkeys.ts';
import { findPasswordHash } from './store/passwords.ts';

/** With what somebody can prove again who they are. */
export async function readProofs(
  { db }: Pick<App, 'db'>,
  actor: Actor,
): Promise<Output<typeof accessContract.readProofs>> {
  return {
    password: (await findPasswordHash(db, actor.userId)) !== null,
    code: (await getMfaSince(db, actor)) !== null,
    passkey: await hasPasskey(db, actor.userId),
    provedRecently: actor.provedRecently,
  };
}
