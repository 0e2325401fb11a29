import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listDeedRows, listMemberRows, listSentRows } from './store/exports.ts';

/** The teams somebody is in, whom they invited, and what they did there; nothing of other members. */
export function exportTeams({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('teams.json', async () => ({
      teams: await listMemberRows(db, userId),
      invitationsSent: await listSentRows(db, userId),
      trail: await listDeedRows(db, userId),
    })),
  ];
}
