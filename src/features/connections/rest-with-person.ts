import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { setSuspended } from './store/connections.ts';

/**
 * Accounts of a suspended person pause: the one mark that every reader and writer checks
 * (`Connection.status`).
 */
export async function restWithPerson(tx: Tx, heard: { userId: string }, rests: boolean): Promise<void> {
  await setSuspended(tx, heard.userId as UserId, rests);
}
