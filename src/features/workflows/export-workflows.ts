import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { exportChannels } from './channels/export-channels.ts';
import { listAddresses } from './store/address-rows.ts';
import { listStopped } from './store/reader-rows.ts';
import { listAllRuns } from './store/run-rows.ts';
import { listAllWorkflows } from './store/workflow-rows.ts';

type Page = Parameters<typeof listAllWorkflows>[2];

/** Few: all versions of each come with it. */
const pageWorkflows = 5;

/** What a person has done by itself, in all its versions, what came of it, and the addresses that agreed to it. */
export function exportWorkflows(app: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  const { db } = app;
  return [
    listPart('workflows.json', (page: Page) => listAllWorkflows(db, userId, page), { limit: pageWorkflows }),
    jsonPart('workflow-runs.json', () => listAllRuns(db, userId)),
    jsonPart('workflow-addresses.json', () => listAddresses(db, userId)),
    jsonPart('workflow-stopped-addresses.json', () => listStopped(db, userId)),
    ...exportChannels(app, userId),
  ];
}
