import type { FileAnswer } from '#kernel/codecs.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { findOwnExport, readChunks } from './store/exports.ts';

/** The file of somebody's export. *Errors*: AppError not-found, where it is not ready or not theirs. */
export async function openExport(db: Database, owner: { userId: UserId }, exportId: string): Promise<FileAnswer> {
  const found = await findOwnExport(db, owner);
  if (found === null || found.id !== exportId || found.state !== 'ready')
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such export.');
  const day = Temporal.Instant.fromEpochMilliseconds(found.createdMs).toString().slice(0, 10);
  return { name: `holdfast-${day}.zip`, sizeBytes: found.sizeBytes, chunks: readChunks(db, found.id) };
}
