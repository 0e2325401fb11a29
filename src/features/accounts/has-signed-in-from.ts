import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { networkOf } from '#platform/limits.ts';
import { listSignInAddresses } from './store/trail.ts';

/** Whether somebody has lately signed in from this network (`networkOf`). */
export async function hasSignedInFrom(db: Database, userId: UserId, network: string): Promise<boolean> {
  return (await listSignInAddresses(db, userId)).some((address) => networkOf(address) === network);
}
