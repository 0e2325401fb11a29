import { loadOwnerZone } from '#features/accounts/public.ts';
import { dropMadeHolds, keepMadeHold } from '#features/availability/public.ts';
import { uuidOf } from '#features/booking/rules/booking-address.ts';
import { listStanding } from '#features/calendar/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import { writeFor } from '#features/edits/public.ts';
import type { EditId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { holdEvent } from './rules/hold-event.ts';
import { type Hold, noteWrite } from './store/holds.ts';

/**
 * Has the event of a hold stand where the hold does, or go where it does not: an intent in the caller's transaction, whose
 * name follows from the hold and the count of its writes. Whatever is repeated, there is one event.
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
      // a name that was used may be worn out: what is made anew has another
      key: sha256(`hold ${id} ${writes}`).slice(0, 32),
      title,
    },
    body === null ? null : { anew: body, over: body },
  );
  await noteWrite(tx, id, written ?? itemId);
  if (itemId !== null && written !== null && written !== itemId) await dropMadeHolds(tx, [itemId]);
  if (written === null) return;
  // on its way out it stands in nobody's way
  await keepMadeHold(tx, { itemId: written, userId, ...(stands ? { rank, hardenMs } : { rank: 4, hardenMs: null }) });
}
