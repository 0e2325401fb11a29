import { listHosts } from '#features/accounts/public.ts';
import { listTeamsOf, may } from '#features/teams/public.ts';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listPanels } from './store/hosts.ts';

export interface ShrunkPanel {
  id: EventTypeId;
  title: string;
  team: string;
  /** Hosts who were chosen and are there no more, or suspended. */
  missing: number;
}

/**
 * Collective event types that go on with fewer hosts than were chosen, in the teams whose event types a person manages.
 * Choosing the hosts again ends it. At most four queries.
 */
export async function listShrunkPanels(db: Database, userId: UserId): Promise<ShrunkPanel[]> {
  const teams = (await listTeamsOf(db, userId)).filter(({ role }) => may(role, 'manage-event-types'));
  if (teams.length === 0) return [];
  const panels = await listPanels(
    db,
    teams.map(({ id }) => id),
  );
  if (panels.length === 0) return [];
  const found = await listHosts(db, [...new Set(panels.flatMap(({ hostIds }) => hostIds))]);
  const here = new Set([...found.values()].filter(({ suspended }) => !suspended).map((host) => host.userId));
  return panels.flatMap(({ id, title, teamId, panel, hostIds }) => {
    const missing = panel - hostIds.filter((hostId) => here.has(hostId)).length;
    const team = teams.find((one) => one.id === teamId)?.name ?? '';
    return missing > 0 ? [{ id, title, team, missing }] : [];
  });
}
