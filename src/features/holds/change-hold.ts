import { loadOwnerZone } from '#features/accounts/public.ts';
import { rereadItems } from '#features/calendar/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { HoldId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkHold } from './check-hold.ts';
import { demandFree } from './demand-free.ts';
import { noteHold } from './note-hold.ts';
import { placeOf } from './settle-holds.ts';
import type { ContractInput } from './show-hold.ts';
import { findHold, type Hold, lockHolds, updateHold } from './store/holds.ts';
import { writeHold } from './write-hold.ts';

const minuteMs = 60_000;

/** *Errors*: AppError not-found, conflict (CHANGED_MEANWHILE, TOO_LATE, TAKEN), invalid (BAD_TIME, BAD_RANGE). */
export function changeHold(
  app: App,
  { userId }: Actor,
  id: HoldId,
  { version, changes }: ContractInput<'changeHold'>,
): Promise<Hold> {
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await findHold(tx, userId, id);
    if (hold === null) throw noHold();
    if (hold.state === 'released' || hold.state === 'removed') throw tooLate();
    if (hold.version !== version)
      throw new AppError('conflict', 'CHANGED_MEANWHILE', 'This hold has changed meanwhile. Look at it again.', {
        fields: { version: String(hold.version) },
      });
    const moves = changes.start !== undefined || changes.end !== undefined;
    const home = { startMs: changes.start ?? hold.homeStartMs, endMs: changes.end ?? hold.homeEndMs };
    const range = changes.range ?? hold.range;
    const expiresMs = changes.expires_at === undefined ? hold.expiresMs : changes.expires_at;
    const harden = changes.harden_before_minutes;
    const hardenMs = harden === undefined ? hold.hardenMs : harden === null ? null : harden * minuteMs;
    checkHold({ home, range, expiresMs }, await loadOwnerZone(tx, userId), nowMs);
    if (moves) await demandFree(tx, userId, home);
    const changed = await updateHold(tx, id, {
      title: changes.title ?? hold.title,
      rank: changes.rank ?? hold.rank,
      range,
      expiresMs,
      hardenMs,
      ...(moves ? { homeStartMs: home.startMs, homeEndMs: home.endMs, ...home, state: 'held' } : {}),
    });
    await noteHold(app, tx, changed, 'changed', moves ? { from: placeOf(hold), to: home } : {});
    await writeHold(app, tx, changed);
    if (hold.itemId !== null && changed.rank !== hold.rank) await rereadItems(app, tx, userId, [hold.itemId]);
    return changed;
  });
}

export const noHold = () => new AppError('not-found', 'NOT_FOUND', 'There is no such hold.');
export const tooLate = () => new AppError('conflict', 'TOO_LATE', 'This hold is over. Nothing was changed.');
