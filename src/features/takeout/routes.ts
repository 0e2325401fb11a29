import { bindRoutes } from '#platform/routes.ts';
import { takeoutContract } from './contract.ts';
import { openExport } from './open-export.ts';
import { showExport } from './show-export.ts';
import { startExport } from './start-export.ts';

export const routes = bindRoutes(takeoutContract, {
  readExport: ({ app, actor }) => showExport(app.db, actor),
  async startExport({ app, actor, request }) {
    await startExport(app, actor, request);
    return showExport(app.db, actor);
  },
  downloadExport: ({ app, actor, input }) => openExport(app.db, actor, input.params.exportId),
});
