import { bindRoutes } from '#platform/routes.ts';
import { takeoutContract } from './contract.ts';
import { getExport, getExportFile, startExport } from './takeout.ts';

export const routes = bindRoutes(takeoutContract, {
  readExport: ({ app, actor }) => getExport(app.db, actor),
  async startExport({ app, actor, request }) {
    await startExport(app, actor, request);
    return getExport(app.db, actor);
  },
  downloadExport: ({ app, actor, input }) => getExportFile(app.db, actor, input.params.exportId),
});
