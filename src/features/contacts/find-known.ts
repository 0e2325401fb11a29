import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { findKept, findLookedAfter, type KnownContact } from './store/owner-rows.ts';

/**
 * Who looks after the guest at an address, and how they tagged them; null where it is nobody. In a team it is whom the team
 * has named, of a person it is themselves where they have that contact. One statement.
 */
export const findKnown = (
  db: Database,
  { userId, teamId }: { userId: UserId; teamId: null } | { userId: null; teamId: TeamId },
  email: string,
): Promise<KnownContact | null> => (teamId === null ? findKept(db, userId, email) : findLookedAfter(db, teamId, email));
