import { findHost, loadOwnerZone } from '#features/accounts/public.ts';
import { teamReading } from '#features/teams/public.ts';
import type { App } from '#platform/app.ts';
import { readAlone } from '#platform/reading.ts';
import { listOffered, type OfferedType } from '../store/event-type-rows.ts';
import { findHandle } from '../store/handles.ts';

/** The owner of offers: a person, or a team. */
export interface Profile {
  name: string;
  about: string;
  avatarUrl: string | null;
  /** The one in use. */
  handle: string;
  zone: string;
  types: OfferedType[];
}

/** Finds the owner of a profile; null for an unknown one, an account being deleted, and a deleted team. */
export async function findProfile({ db }: Pick<App, 'db'>, written: string): Promise<Profile | null> {
  const found = await findHandle(db, written);
  if (found === null) return null;
  const { userId, teamId, handle } = found;
  if (teamId !== null) {
    const [team, types] = await Promise.all([
      readAlone(db, teamReading(teamId)),
      listOffered(db, { userId: null, teamId }),
    ]);
    if (team === null) return null;
    // the hours use the zone of the first host
    const [first] = types.flatMap(({ hosts }) => hosts);
    const zone = first === undefined ? 'UTC' : await loadOwnerZone(db, first.userId);
    const bookable = types.filter(({ hosts }) => hosts.length > 0);
    return { name: team.name, about: team.about, avatarUrl: team.logoUrl, handle, zone, types: bookable };
  }
  const host = userId === null ? null : await findHost(db, userId);
  if (userId === null || host === null) return null;
  const { name, avatarUrl, zone } = host;
  return { name, about: '', avatarUrl, handle, zone, types: await listOffered(db, { userId, teamId: null }) };
}
