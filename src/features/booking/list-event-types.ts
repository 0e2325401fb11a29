import { listTeamsOf, may } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { toTypeView } from './rules/type-view.ts';
import { listTeamTypes, listTypes } from './store/event-type-rows.ts';
import { findHandleOf, listTeamHandles } from './store/handles.ts';

type Listed = Output<typeof bookingContract.listEventTypes>;

/** Lists the event types of a person and of their teams, each in its order; five queries. */
export async function listEventTypes({ db, config }: Pick<App, 'db' | 'config'>, userId: UserId): Promise<Listed> {
  const [handle, found, teams] = await Promise.all([
    findHandleOf(db, userId),
    listTypes(db, userId),
    listTeamsOf(db, userId),
  ]);
  const ids = teams.map(({ id }) => id);
  const [handles, types] =
    ids.length === 0
      ? [new Map<string, string>(), []]
      : await Promise.all([listTeamHandles(db, ids), listTeamTypes(db, ids)]);
  const urlOf = (name: string | null | undefined) => (name == null ? null : `${config.publicUrl}/${name}`);
  return {
    event_types: found.map((type) => toTypeView(type, urlOf(handle))),
    teams: teams.map(({ id, name, role }) => ({
      team_id: id,
      name,
      url: urlOf(handles.get(id)),
      may_change: may(role, 'manage-event-types'),
      event_types: types.filter(({ teamId }) => teamId === id).map((type) => toTypeView(type, urlOf(handles.get(id)))),
    })),
  };
}
