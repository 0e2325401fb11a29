import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, readAlone, reading } from '#platform/reading.ts';
import { defaultSettings, type SyncSettings } from '../rules/sync-settings.ts';

export function settingsReading(userId: UserId): Reading<SyncSettings> {
  const query = sql<SyncSettings>`
    select past_days as "pastDays", future_days as "futureDays", poll_seconds as "pollSeconds", on_stale as "onStale",
      stale_after_minutes as "staleAfterMinutes"
    from sync.settings where user_id = ${userId}`;
  return reading(query, ([row]) => row ?? defaultSettings);
}

export const loadSettings = (db: Database, userId: UserId) => readAlone(db, settingsReading(userId));

export async function writeSettings(tx: Tx, userId: UserId, settings: SyncSettings): Promise<void> {
  const { pastDays, futureDays, pollSeconds, onStale, staleAfterMinutes } = settings;
  await sql`
    insert into sync.settings (user_id, past_days, future_days, poll_seconds, on_stale, stale_after_minutes)
    values (${userId}, ${pastDays}, ${futureDays}, ${pollSeconds}, ${onStale}, ${staleAfterMinutes})
    on conflict (user_id) do update set past_days = excluded.past_days, future_days = excluded.future_days,
      poll_seconds = excluded.poll_seconds, on_stale = excluded.on_stale,
      stale_after_minutes = excluded.stale_after_minutes`.execute(tx);
}
