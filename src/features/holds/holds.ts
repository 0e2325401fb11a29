import { randomUUIDv7 } from 'node:crypto';
import type * as z from 'zod/mini';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { dropMadeHolds, keepMadeHold } from '#features/availability/public.ts';
import { listExpected, listOverbooked } from '#features/booking/public.ts';
import { uuidOf } from '#features/booking/rules/booking-address.ts';
import { listStanding, rereadItems } from '#features/calendar/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import { writeFor } from '#features/edits/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId, EditId, HoldId, ItemId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import { contains, overlaps, type Span } from '#kernel/time/intervals.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import type { holdsContract } from './contract.ts';
import { holdsChanged, holdsTopic } from './events.ts';
import { type AllowedRange, holdEvent, homeOf, mostHolds, placeOf, rangeOf } from './rules.ts';
import {
  findHold,
  type Hold,
  type HoldEntry,
  insertEntry,
  insertHold,
  listAhead,
  listEntries,
  listEverything,
  listExpired,
  lockHolds,
  recordWrite,
  renameItem,
  updateHold,
} from './store.ts';
import { toShownHold } from './views.ts';

const minuteMs = 60_000;

/**
 * Creates a hold. A known `hold_id` returns the existing one.
 * *Errors*: AppError invalid (BAD_TIME, BAD_RANGE), conflict (TAKEN, TOO_MANY), not-found, forbidden (READ_ONLY).
 */
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
      throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
    if (!calendar.writable)
      throw new AppError('forbidden', 'READ_ONLY', 'This calendar is read-only. Nothing was changed.');
    await requireFree(tx, userId, home);
    if ((await listAhead(tx, userId, { nowMs, limit: mostHolds })).length >= mostHolds)
      throw new AppError('conflict', 'TOO_MANY', `You can have up to ${mostHolds} holds. Remove one first.`);
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
    if (hold === null)
      throw new AppError('invalid', 'INVALID_INPUT', 'This id belongs to another hold. Nothing was changed.');
    await recordChange(app, tx, hold, 'made', { to: home });
    await writeHold(app, tx, hold);
    return hold;
  });
}

/** Changes a hold. *Errors*: AppError not-found, conflict (CHANGED_MEANWHILE, TOO_LATE, TAKEN), invalid (BAD_TIME, BAD_RANGE). */
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
      throw new AppError('conflict', 'CHANGED_MEANWHILE', 'This hold was just changed. Reload it and try again.', {
        fields: { version: String(hold.version) },
      });
    const moves = changes.start !== undefined || changes.end !== undefined;
    const home = { startMs: changes.start ?? hold.homeStartMs, endMs: changes.end ?? hold.homeEndMs };
    const range = changes.range ?? hold.range;
    const expiresMs = changes.expires_at === undefined ? hold.expiresMs : changes.expires_at;
    const harden = changes.harden_before_minutes;
    const hardenMs = harden === undefined ? hold.hardenMs : harden === null ? null : harden * minuteMs;
    checkHold({ home, range, expiresMs }, await loadOwnerZone(tx, userId), nowMs);
    if (moves) await requireFree(tx, userId, home);
    const changed = await updateHold(tx, id, {
      title: changes.title ?? hold.title,
      rank: changes.rank ?? hold.rank,
      range,
      expiresMs,
      hardenMs,
      ...(moves ? { homeStartMs: home.startMs, homeEndMs: home.endMs, ...home, state: 'held' } : {}),
    });
    await recordChange(app, tx, changed, 'changed', moves ? { from: placeOf(hold), to: home } : {});
    await writeHold(app, tx, changed);
    if (hold.itemId !== null && changed.rank !== hold.rank) await rereadItems(app, tx, userId, [hold.itemId]);
    return changed;
  });
}

const noHold = () => new AppError('not-found', 'NOT_FOUND', 'Hold not found.');
const tooLate = () => new AppError('conflict', 'TOO_LATE', 'This hold has ended. Nothing was changed.');

/** Removes a hold. *Errors*: AppError not-found, conflict (TOO_LATE). */
export function removeHold(app: App, { userId }: Actor, id: HoldId): Promise<Hold> {
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await findHold(tx, userId, id);
    if (hold === null) throw noHold();
    if (hold.state === 'removed') return hold;
    if (hold.state === 'released') throw tooLate();
    return finishHold(app, tx, hold, 'removed');
  });
}

/** Puts a removed hold back at its time. *Errors*: AppError not-found, conflict (TOO_LATE, TAKEN). */
export function restoreHold(app: App, { userId }: Actor, id: HoldId): Promise<Hold> {
  return inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await findHold(tx, userId, id);
    if (hold === null) throw noHold();
    if (hold.state === 'held') return hold;
    const at = placeOf(hold) ?? homeOf(hold);
    const nowMs = app.clock.nowMs();
    if (hold.state !== 'removed' || at.endMs <= nowMs || (hold.expiresMs ?? Infinity) <= nowMs) throw tooLate();
    await requireFree(tx, userId, at);
    const restored = await updateHold(tx, id, { state: 'held', ...at, endedMs: null });
    await recordChange(app, tx, restored, 'restored', { to: at });
    await writeHold(app, tx, restored);
    return restored;
  });
}

/** Ends a hold and deletes its event. The caller has locked the user's holds. */
export async function finishHold(app: App, tx: Tx, hold: Hold, to: 'released' | 'removed'): Promise<Hold> {
  const at = placeOf(hold) ?? homeOf(hold);
  const ended = await updateHold(tx, hold.id, { state: to, ...at, endedMs: app.clock.nowMs() });
  await recordChange(app, tx, ended, to, { from: at });
  await writeHold(app, tx, ended);
  return ended;
}

const batch = 200;

/** Releases expired holds, each in its own transaction. Returns the next expiry. */
export async function releaseHolds(app: App, signal: AbortSignal): Promise<number | null> {
  for (;;) {
    const nowMs = app.clock.nowMs();
    const { due, nextMs } = await listExpired(app.db, { nowMs, limit: batch });
    for (const { id, userId } of due) {
      signal.throwIfAborted();
      await inTransaction(app.db, async (tx) => {
        await lockHolds(tx, userId);
        const hold = await findHold(tx, userId, id);
        const isLive = hold?.state === 'held' || hold?.state === 'gave-way';
        if (hold !== null && isLive && (hold.expiresMs ?? Infinity) <= nowMs)
          await finishHold(app, tx, hold, 'released');
      });
    }
    if (due.length < batch) return nextMs;
  }
}

/** A pull stored the event of a hold under another id, as if the user had made it. */
export async function renameHold(app: App, userId: UserId, from: ItemId, to: ItemId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    const hold = await renameItem(tx, userId, from, to);
    if (hold === null) return;
    await dropMadeHolds(tx, [from]);
    await keepMadeHold(tx, { itemId: to, userId, rank: hold.rank, hardenMs: hold.hardenMs });
    await rereadItems(app, tx, userId, [to]);
  });
}

/** A user's holds, and the bookings over them, in three queries. */
export async function listHolds(app: App, { userId }: Actor): Promise<Output<typeof holdsContract.listHolds>> {
  const nowMs = app.clock.nowMs();
  const [zone, holds, overbooked] = await Promise.all([
    loadOwnerZone(app.db, userId),
    listAhead(app.db, userId, { nowMs, limit: mostHolds }),
    listOverbooked(app, userId),
  ]);
  return { holds: holds.map((hold) => toShownHold(hold, zone, nowMs)), overbooked };
}

type Answer = Output<typeof holdsContract.readHold>;

const mostEntries = 50;

/** A hold with its history. *Errors*: AppError not-found. */
export async function getHold(app: App, { userId }: Actor, id: HoldId): Promise<Answer> {
  const found = await findHold(app.db, userId, id);
  if (found === null) throw noHold();
  const entries = await listEntries(app.db, id, mostEntries);
  const place = (at: { startMs: number; endMs: number } | null | undefined) =>
    at ? { start: at.startMs, end: at.endMs } : null;
  return {
    hold: toShownHold(found, await loadOwnerZone(app.db, userId), app.clock.nowMs()),
    history: entries.map(({ atMs, kind, details }) => ({
      kind: kind as Answer['history'][number]['kind'],
      at: atMs,
      from: place(details.from),
      to: place(details.to),
      for: details.for ?? null,
    })),
  };
}

type ContractInput<Name extends 'createHold' | 'changeHold'> = z.output<
  NonNullable<(typeof holdsContract)[Name]['body']>
>;
const dayMs = 86_400_000;
const longestMs = 7 * dayMs;
/** As far ahead as it is known what takes time. */
const furthestMs = 366 * dayMs;

/** Checks the times of a hold. *Errors*: AppError invalid (BAD_TIME, BAD_RANGE). */
function checkHold(
  { home, range, expiresMs }: { home: Span; range: AllowedRange; expiresMs: number | null },
  zone: string,
  nowMs: number,
): void {
  const lengthMs = home.endMs - home.startMs;
  if (lengthMs < 5 * minuteMs || lengthMs > longestMs)
    throw badTime('end', 'A hold must be between five minutes and seven days long.');
  if (home.endMs <= nowMs || home.startMs > nowMs + furthestMs)
    throw badTime('start', 'A hold must start within the next year.');
  if (expiresMs !== null && expiresMs <= nowMs)
    throw badTime('expires_at', 'The hold would be released right away. Choose a later time.');
  if (range.kind === 'days' && !contains([rangeOf(range, home, zone)], home)) {
    const message = "The days it can move within must include the hold's own day.";
    throw new AppError('invalid', 'BAD_RANGE', message, { fields: { range: message } });
  }
}

const badTime = (field: string, message: string) =>
  new AppError('invalid', 'BAD_TIME', message, { fields: { [field]: message } });

/** A hold may not begin on booked time. *Errors*: AppError conflict (TAKEN). */
async function requireFree(db: Database, userId: UserId, home: Span): Promise<void> {
  const [booked] = (await listExpected(db, userId, home)).filter((one) => overlaps(one, home));
  if (booked === undefined) return;
  const message = `“${booked.title}” is already booked then. Choose another time.`;
  throw new AppError('conflict', 'TAKEN', message);
}

type Kind = Output<typeof holdsContract.readHold>['history'][number]['kind'];

/** After these changes, the hold is settled against bookings. */
const byPerson: ReadonlySet<Kind> = new Set(['made', 'changed', 'restored']);

/** Records an entry in a hold's history and updates open screens. */
export async function recordChange(
  app: Pick<App, 'clock' | 'feed' | 'news'>,
  tx: Tx,
  hold: Hold,
  kind: Kind,
  details: HoldEntry['details'] = {},
): Promise<void> {
  await insertEntry(tx, hold, { atMs: app.clock.nowMs(), kind, details });
  if (byPerson.has(kind)) await app.news.announce(tx, holdsChanged, { userId: hold.userId });
  await app.feed.publish(tx, hold.userId, holdsTopic);
}

/**
 * Writes the hold's event to its calendar, or deletes it. Records an intent in the caller's transaction. Its id follows from
 * the hold and the count of its writes, so that repeats make no second event.
 */
export async function writeHold(app: App, tx: Tx, hold: Hold): Promise<void> {
  const { id, userId, calendarId, itemId, writes, title, rank, hardenMs, startMs, endMs } = hold;
  const calendar = await findCalendar(tx, calendarId);
  if (calendar === null) return;
  const stands = hold.state === 'held' && startMs !== null && endMs !== null;
  const [standing] = itemId === null ? [] : await listStanding(tx, userId, [itemId]);
  const core = standing?.body.kind === 'single' ? standing.body.core : null;
  const body = stands ? holdEvent(title, { startMs, endMs }, await loadOwnerZone(tx, userId), core) : null;
  const written = await writeFor(
    app,
    tx,
    {
      userId,
      calendarId,
      connectionId: calendar.connectionId,
      itemId,
      editId: uuidOf(`hold ${id} ${writes}`) as EditId,
      // a used name may be refused: a new event has another
      key: sha256(`hold ${id} ${writes}`).slice(0, 32),
      title,
      hold: rank,
    },
    body === null ? null : { anew: body, over: body },
  );
  await recordWrite(tx, id, written ?? itemId);
  if (itemId !== null && written !== null && written !== itemId) await dropMadeHolds(tx, [itemId]);
  if (written === null) return;
  // on its way out it stands in nobody's way
  await keepMadeHold(tx, { itemId: written, userId, ...(stands ? { rank, hardenMs } : { rank: 4, hardenMs: null }) });
}

/** Every hold of a user, with its history. */
export function exportHolds({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('holds.json', () => listEverything(db, userId))];
}
