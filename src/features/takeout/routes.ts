import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { takeoutContract } from './contract.ts';
import { startExport } from './start-export.ts';
import { findOwnExport, readChunks } from './store/exports.ts';

async function readExport({ db }: App, actor: Actor) {
  const found = await findOwnExport(db, actor);
  if (found === null) return { export: null };
  const { id, state, done, total, sizeBytes, expiresMs } = found;
  return { export: { id, state, done, total, sizeBytes, expiresAt: expiresMs } };
}

export const routes = bindRoutes(takeoutContract, {
  readExport: ({ app, actor }) => readExport(app, actor),
  async startExport({ app, actor, request }) {
    await startExport(app, actor, request);
    return readExport(app, actor);
  },
  async downloadExport({ app, actor, input }) {
    const found = await findOwnExport(app.db, actor);
    if (found === null || found.id !== input.params.exportId || found.state !== 'ready')
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such export.');
    const day = Temporal.Instant.fromEpochMilliseconds(found.createdMs).toString().slice(0, 10);
    return { name: `holdfast-${day}.zip`, sizeBytes: found.sizeBytes, chunks: readChunks(app.db, found.id) };
  },
});
