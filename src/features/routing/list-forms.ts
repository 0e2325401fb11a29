import { findHandleOf, listTeamHandles } from '#features/booking/public.ts';
import { listTeamsOf, may } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { routingContract } from './contract.ts';
import { type Seen, toFormView } from './rules/form-view.ts';
import { listForms as listRows } from './store/form-rows.ts';

/** Forms of a person and of their teams; four queries. */
export async function listForms(
  { db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>,
  { userId }: Actor,
): Promise<Output<typeof routingContract.listForms>> {
  const teams = await listTeamsOf(db, userId);
  const ids = teams.map(({ id }) => id);
  const [handle, handles, rows] = await Promise.all([
    findHandleOf(db, userId),
    listTeamHandles(db, ids),
    listRows(db, userId, ids, clock.nowMs() - 30 * dayMs),
  ]);
  const seen = new Map<string, Seen>(
    teams.map(({ id, role }) => [
      id,
      {
        base: config.publicUrl,
        handle: handles.get(id) ?? null,
        mayChange: may(role, 'manage-routing'),
        maySeeAnswers: may(role, 'see-bookings'),
      },
    ]),
  );
  const own: Seen = { base: config.publicUrl, handle, mayChange: true, maySeeAnswers: true };
  return {
    forms: rows.map((row) =>
      toFormView(row, (row.teamId === null ? undefined : seen.get(row.teamId)) ?? own, row.submissions),
    ),
    teams: teams.map(({ id, name, role }) => ({ team_id: id, name, may_change: may(role, 'manage-routing') })),
  };
}
