import { randomUUIDv7 } from 'node:crypto';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId, HoldId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkHold } from './check-hold.ts';
import { demandFree } from './demand-free.ts';
import { noteHold } from './note-hold.ts';
import { mostHolds } from './settle-holds.ts';
import type { ContractInput } from './show-hold.ts';
import { findHold, type Hold, insertHold, listAhead, lockHolds } from './store/holds.ts';
import { writeHold } from './write-hold.ts';

const minuteMs = 60_000;

/** *Errors*: AppError invalid (BAD_TIME, BAD_RANGE), conflict (TAKEN, TOO_MANY), not-found, forbidden (READ_ONLY). */
export async function createHold(app: App, { userId }: Actor, wish: ContractInput<'createHold'>): Promise<Hold> {
  const nowMs = app.clock.nowMs();
  const home = { startMs: wish.start, endMs: wish.end };
  const { title, rank, range, expires_at: expiresMs, harden_before_minutes: harden } = wish;
  const calendarId = wish.calendar_id as CalendarId;
  const id = wish.hold_id ?? (randomUUIDv7() as string as HoldId);
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const known = wish.hold_id === undefined ? null : await findHold(tx, userId, id);
    if (known !== null) return known;
    checkHold({ home, range, expiresMs }, await loadOwnerZone(tx, userId), nowMs);
    const calendar = await findCalendar(tx, calendarId);
    if (calendar === null || calendar.removed || calendar.userId !== userId)
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such calendar.');
    if (!calendar.writable)
      throw new AppError('forbidden', 'READ_ONLY', 'This calendar can only be read. Nothing was changed.');
    await demandFree(tx, userId, home);
    if ((await listAhead(tx, userId, { nowMs, limit: mostHolds })).length >= mostHolds)
      throw new AppError('conflict', 'TOO_MANY', `There are ${mostHolds} holds already. Remove some first.`);
    const hold = await insertHold(
      tx,
      {
        id,
        userId,
        calendarId,
        title,
        rank,
        range,
        expiresMs,
        hardenMs: harden === null ? null : harden * minuteMs,
        homeStartMs: home.startMs,
        homeEndMs: home.endMs,
      },
      nowMs,
    );
    if (hold === null) throw new AppError('invalid', 'INVALID_INPUT', 'Another hold has this id. Nothing was changed.');
    await noteHold(app, tx, hold, 'made', { to: home });
    await writeHold(app, tx, hold);
    return hold;
  });
}
