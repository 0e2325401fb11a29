import { randomUUIDv7 } from 'node:crypto';
import { demandRecentProof, recordAccountEvent } from '#features/accounts/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { takeoutContract } from './contract.ts';
import { exportTopic } from './events.ts';
import { makeJob } from './jobs.ts';
import { findOwnExport, replaceExport, streamChunks } from './store.ts';

const exports = { action: 'preparing an export', burst: 5, periodSeconds: 3_600 };

/** Starts an export on the user's own request. *Errors*: AppError forbidden (REAUTHENTICATE), limited. */
export async function startExport(
  app: Pick<App, 'db' | 'feed' | 'jobs'>,
  actor: Actor,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await takeAllowance(app.db, exports, actor.userId);
  await inTransaction(app.db, (tx) => createExport(app, tx, actor.userId, request));
}

/** Starts an export for a user and replaces the previous one. `request` is null if an administrator asked for it. */
export async function createExport(
  app: Pick<App, 'feed' | 'jobs'>,
  tx: Tx,
  userId: UserId,
  request: RequestFacts | null,
): Promise<void> {
  const exportId = randomUUIDv7();
  await replaceExport(tx, userId, exportId);
  await recordAccountEvent(tx, { userId, kind: 'data-exported', request });
  await app.jobs.send(makeJob, { exportId }, { tx, key: exportId });
  await app.feed.publish(tx, userId, exportTopic);
}

/** The progress of a user's export, or null. */
export async function getExport(
  db: Database,
  owner: { userId: UserId },
): Promise<Output<typeof takeoutContract.readExport>> {
  const found = await findOwnExport(db, owner);
  if (found === null) return { export: null };
  const { id, state, done, total, sizeBytes, expiresMs } = found;
  return { export: { id, state, done, total, sizeBytes, expiresAt: expiresMs } };
}

/** The zip file of an export. *Errors*: AppError not-found if it is not ready or belongs to another user. */
export async function getExportFile(db: Database, owner: { userId: UserId }, exportId: string): Promise<FileAnswer> {
  const found = await findOwnExport(db, owner);
  if (found === null || found.id !== exportId || found.state !== 'ready')
    throw new AppError('not-found', 'NOT_FOUND', 'Export not found.');
  const day = Temporal.Instant.fromEpochMilliseconds(found.createdMs).toString().slice(0, 10);
  return { name: `holdfast-${day}.zip`, sizeBytes: found.sizeBytes, chunks: streamChunks(db, found.id) };
}
