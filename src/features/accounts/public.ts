import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listActiveUsers } from './store/sessions.ts';
import { findZone } from './store/users.ts';

/**
 * The IANA zone a person lives in: where their all-day events and hours are meant.
 * *Errors*: Error when there is no such person (their rows go with them, so nobody should ask).
 */
export async function loadOwnerZone(db: Database, userId: UserId): Promise<string> {
  const zone = await findZone(db, userId);
  if (zone === undefined) throw new Error(`no account ${userId}`);
  return zone;
}

/** People who have Holdfast open, or had within the last five minutes. */
export function listActiveUserIds(db: Database): Promise<UserId[]> {
  return listActiveUsers(db);
}
