import { listMemberIds } from '#features/teams/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { handOverOne } from './hand-over-one.ts';
import { listStranded } from './store/team-bookings.ts';
import { tellTeam } from './tell-team.ts';

const most = 500;

/**
 * Gives on what is to come of whoever is in a team no more: to whoever is next, and of what several meet for, to nobody
 * where enough of them remain. By what is: run twice, or late, it finds less to do.
 */
export async function handOverStranded(app: App, teamId: TeamId, signal: AbortSignal): Promise<void> {
  const memberIds = await listMemberIds(app.db, teamId);
  if (memberIds.length === 0) return;
  for (const { id, hostIds } of await listStranded(app.db, teamId, {
    memberIds,
    nowMs: app.clock.nowMs(),
    limit: most,
  })) {
    for (const from of hostIds.filter((hostId) => !memberIds.includes(hostId))) {
      signal.throwIfAborted();
      await handOverOne(app, id, { from, actor: 'system' });
    }
  }
  // what nobody could take says now that its host has left
  await tellTeam(app, teamId);
}
