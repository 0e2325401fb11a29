import { randomUUIDv7 } from 'node:crypto';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { type HashedItem, materialise } from './rules/materialise.ts';
import { spanWindow } from './rules/span-window.ts';
import type { PlannedItem } from './store/items.ts';
import { markGone, replaceSpans, unplanItems, upsertItems } from './store/items.ts';

/** A calendar as the event store needs to know it. */
export interface CalendarOwner {
  calendarId: CalendarId;
  userId: UserId;
  /** Of floating times. */
  calendarZone: string;
  /** Of all-day events. */
  ownerZone: string;
}

/** Plans events that are new to the store, in the transaction that brings them; answers with what it leaves undone. */
type PlanNew = (items: PlannedItem[]) => Promise<PlannedItem[]>;

/**
 * Stores one page of changes of a calendar: items, their instances in the busy index, and what is gone. Runs in the
 * caller's transaction, which also stores the cursor. Applying the same page again changes nothing. Answers with whether
 * the planner may have something to look at: what `planNew` left, and what was there before.
 */
export async function applyChanges(
  tx: Tx,
  calendar: CalendarOwner,
  page: { items: HashedItem[]; gone: string[] },
  nowMs: number,
  planNew: PlanNew = async (items) => items,
): Promise<boolean> {
  if (page.gone.length > 0) await markGone(tx, calendar.calendarId, page.gone);
  if (page.items.length === 0) return page.gone.length > 0;
  const window = spanWindow(nowMs);
  // the same ref twice in one page: the last one counts, and one statement may not touch a row twice
  const byRef = new Map(page.items.map((item) => [item.ref, item]));
  const shapes = [...byRef.values()].map((item) => ({
    id: item.id ?? (randomUUIDv7() as string as ItemId),
    body: item.body,
    ...materialise(item, calendar, window),
  }));
  const known = await upsertItems(tx, calendar, shapes);
  const idOf = new Map(known.map((row) => [row.ref, row.id]));
  await replaceSpans(
    tx,
    calendar,
    known.map((row) => row.id),
    shapes.flatMap((shape) => {
      const itemId = idOf.get(shape.ref) ?? shape.id;
      return shape.spans.map((span) => ({ itemId, ...span }));
    }),
  );
  const { calendarId } = calendar;
  const fresh = shapes
    .filter((shape) => shape.provenance === 'foreign' && !idOf.has(shape.ref))
    .map(({ id, ref, uid, body, problem, startsMs, endsMs }) => {
      return { id, calendarId, ref, uid, body, problem, startsMs, endsMs, gone: false, own: false, change: 0 };
    });
  const left = fresh.length === 0 ? [] : await planNew(fresh);
  await unplanItems(
    tx,
    left.map((item) => item.id),
  );
  return page.gone.length > 0 || known.length > 0 || left.length > 0;
}
