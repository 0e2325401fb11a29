import { listMemberIds } from '#features/teams/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { handOverOne } from './hand-over-one.ts';
import { listStranded } from './store/team-bookings.ts';
import { tellTeam } from './tell-team.ts';

const most = 500;

/**
 * Transfers the upcoming bookings of hosts who left a team to the next by the rule. A collective one has no replacement
 * if enough hosts remain. The result depends only on the state: repeated or late runs find less to do.
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
  // bookings that nobody could take now show that their host has left
  await tellTeam(app, teamId);
}
