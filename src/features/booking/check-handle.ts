import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { bookingContract } from './contract.ts';
import { isReserved, lookOf } from './rules/handle.ts';
import { listTakenLooks, type OwnerId } from './store/handles.ts';

type HandleState = Output<typeof bookingContract.checkHandle>['state'];

/** Whether they could take this name as it stands now; `takeHandle` decides. */
export async function checkHandle({ db }: Pick<App, 'db'>, ownerId: OwnerId, handle: string): Promise<HandleState> {
  if (isReserved(handle)) return 'reserved';
  const look = hashToken(lookOf(handle));
  const taken = await listTakenLooks(db, [look]);
  if (taken.size === 0) return 'free';
  return taken.get(look.toString('hex')) === ownerId ? 'own' : 'taken';
}
