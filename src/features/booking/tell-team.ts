import { listMembersWhoMay } from '#features/teams/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { bookingsTopic } from './events.ts';

/** The open screens of everybody who sees the bookings of a team look again: its hosts alone are told by the booking. */
export async function tellTeam({ db, feed }: Pick<App, 'db' | 'feed'>, teamId: TeamId): Promise<void> {
  await feed.publishToAll(db, await listMembersWhoMay(db, teamId, 'see-bookings'), bookingsTopic);
}
