import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { takeoutContract } from './contract.ts';
import { findOwnExport } from './store/exports.ts';

/** How far somebody's export is, if there is one. */
export async function showExport(
  db: Database,
  owner: { userId: UserId },
): Promise<Output<typeof takeoutContract.readExport>> {
  const found = await findOwnExport(db, owner);
  if (found === null) return { export: null };
  const { id, state, done, total, sizeBytes, expiresMs } = found;
  return { export: { id, state, done, total, sizeBytes, expiresAt: expiresMs } };
}
