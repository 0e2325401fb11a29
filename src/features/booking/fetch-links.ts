import { listStored } from '#features/calendar/public.ts';
import { freshen } from '#features/sync/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { noteChange } from './note-change.ts';
import { listOfAppointment } from './store/bookings.ts';
import { keepLink, type Linkless, listLinkless, listUntold } from './store/meeting-links.ts';

const mostAtOnce = 200;
/** A provider makes a meeting in seconds; what takes longer is met when its calendar is read anyway. */
const freshMs = 600_000;
const readMs = 3_000;

/**
 * Stores the meeting links that providers made for bookings: from the event as it was read back, or as it reads a
 * moment later. Recipients of mails without the link are notified again.
 */
export async function fetchLinks(app: App, signal: AbortSignal): Promise<void> {
  const nowMs = app.clock.nowMs();
  const waiting = await listLinkless(app.db, { nowMs, freshSinceMs: nowMs - freshMs, limit: mostAtOnce });
  const missing = await fillIn(app, waiting, signal);
  await tellAgain(app, nowMs);
  const stillFresh = missing.filter(({ isFresh }) => isFresh);
  if (stillFresh.length === 0) return;
  await freshen(app, [...new Set(stillFresh.map(({ calendarId }) => calendarId))], { timeoutMs: readMs });
  await fillIn(app, stillFresh, signal);
}

/** Notifies recipients who wait for the link of a later time of their series, after a while. */
async function tellAgain(app: App, nowMs: number): Promise<void> {
  for (const booking of await listUntold(app.db, { nowMs, beforeMs: nowMs - freshMs, limit: mostAtOnce }))
    await inTransaction(app.db, (tx) => noteChange(app, tx, booking, { what: 'linked', actor: 'system' }));
}

/** Answers with those whose events tell of no link. */
async function fillIn(app: App, waiting: readonly Linkless[], signal: AbortSignal): Promise<Linkless[]> {
  const links = new Map<ItemId, string>();
  for (const [userId, some] of Map.groupBy(waiting, (one) => one.userId)) {
    for (const { itemId, body } of await listStored(app.db, userId, { ids: some.map((one) => one.itemId) })) {
      if (body.kind === 'single' && body.core.joinUrl !== undefined) links.set(itemId, body.core.joinUrl);
    }
  }
  const missing: Linkless[] = [];
  for (const one of waiting) {
    signal.throwIfAborted();
    const link = links.get(one.itemId);
    if (link === undefined) missing.push(one);
    else await fill(app, one, link);
  }
  return missing;
}

async function fill(app: App, linkless: Linkless, link: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await keepLink(tx, linkless, link))) return;
    for (const booking of await listOfAppointment(tx, linkless.id)) {
      if (booking.state === 'confirmed') await noteChange(app, tx, booking, { what: 'linked', actor: 'system' });
    }
  });
}
