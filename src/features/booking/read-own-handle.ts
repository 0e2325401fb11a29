import { loadOwner } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { readHandle } from './read-handle.ts';

/** That of the caller. */
export function readOwnHandle(
  app: Pick<App, 'db' | 'config'>,
  { userId }: Actor,
): Promise<Output<typeof bookingContract.readHandle>> {
  return readHandle(app, { id: userId, loadName: async () => (await loadOwner(app.db, userId)).name });
}
