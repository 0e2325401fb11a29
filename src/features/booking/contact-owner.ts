import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Finds the host whose contact has this address; null without one. Runs within the booking's transaction. */
export type FindContactOwner = (
  db: Database,
  asked: { teamId: TeamId; email: string; among: readonly UserId[] },
) => Promise<UserId | null>;

const nobody: FindContactOwner = async () => null;
let findOwner = nobody;

/** Filled once, when the process starts, by the feature below that knows people's contacts; null: by nobody. */
export function fillContactOwner(find: FindContactOwner | null): void {
  findOwner = find ?? nobody;
}

export const findContactOwner: FindContactOwner = (db, asked) => findOwner(db, asked);
