import { randomUUIDv7 } from 'node:crypto';
import { listHoldRules } from '#features/availability/public.ts';
import { type HoldRules, holdRankIn, madeRankOf, noHolds } from '#features/availability/rules/hold-rules.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import { send, type Tx } from '#platform/db.ts';
import { type HashedItem, materialise, readingAs, spansOf } from './rules/materialise.ts';
import { spanWindow } from './rules/span-window.ts';
import type { PlannedItem } from './store/items.ts';
import { clearPlanned, markGone, replaceSpans, unplanItems, upsertItems } from './store/items.ts';

/** A calendar as the event store needs to know it. */
export interface CalendarOwner {
  calendarId: CalendarId;
  userId: UserId;
  /** Of floating times. */
  calendarZone: string;
  /** Of all-day events. */
  ownerZone: string;
  /** Where they are at hand. */
  holdRules?: HoldRules;
}

/** Plans what a page brought, in the transaction that brings it; answers with what it leaves to the planner. */
type PlanPage = (items: PlannedItem[]) => Promise<PlannedItem[]>;

/**
 * Stores one page of changes of a calendar: items, their instances in the busy index, and what is gone. Runs in the
 * caller's transaction, which also stores the cursor. Applying the same page again changes nothing. `planPage` is given
 * what is new, and what changed without being left to the planner before; what waited for the planner already stays his,
 * as he may be at it this moment. Answers with whether he has something to look at.
 */
export async function applyChanges(
  tx: Tx,
  calendar: CalendarOwner,
  page: { items: HashedItem[]; gone: string[] },
  nowMs: number,
  planPage: PlanPage = async (items) => items,
): Promise<boolean> {
  if (page.gone.length > 0) await markGone(tx, calendar.calendarId, page.gone);
  if (page.items.length === 0) return page.gone.length > 0;
  const window = spanWindow(nowMs);
  // the same ref twice in one page: the last one counts, and one statement may not touch a row twice
  const byRef = new Map(page.items.map((item) => [item.ref, item]));
  // a block of ours is no hold
  const readsOthers = page.items.some((item) => item.provenance === 'foreign');
  const rules = readsOthers ? (calendar.holdRules ?? (await listHoldRules(tx, calendar.userId))) : [];
  const reading = { ...calendar, holdRank: readsOthers ? holdRankIn(rules, calendar.calendarId) : noHolds };
  const shapes = [...byRef.values()].map((item) => ({
    id: item.id ?? (randomUUIDv7() as string as ItemId),
    body: item.body,
    ...materialise(item, reading, window),
  }));
  const known = await upsertItems(tx, calendar, shapes);
  const knownAs = new Map(known.map((row) => [row.ref, row]));
  const spans = shapes.flatMap((shape) => {
    const itemId = knownAs.get(shape.ref)?.id ?? shape.id;
    const made = madeRankOf(rules, itemId);
    // whose item it is, is known only now
    const { spans: own } =
      made === null || shape.provenance === 'own'
        ? shape
        : spansOf(shape.body, shape.provenance, readingAs(reading, made), window);
    return own.map((span) => ({ itemId, ...span }));
  });
  const { calendarId } = calendar;
  const toPlan = shapes.flatMap(({ id, ref, uid, body, problem, startsMs, endsMs, provenance }) => {
    const before = knownAs.get(ref);
    if (provenance === 'own' || (before !== undefined && before.change !== firstChange)) return [];
    const change = before === undefined ? 0 : firstChange;
    return {
      id: before?.id ?? id,
      calendarId,
      ref,
      uid,
      body,
      problem,
      startsMs,
      endsMs,
      gone: false,
      own: false,
      change,
    };
  });
  const replaced = known.map((row) => row.id);
  send(tx, replaceSpans(tx, calendar, replaced, spans));
  const left = new Set(toPlan.length === 0 ? [] : await planPage(toPlan));
  const unplanned = toPlan.filter((item) => item.change === 0 && left.has(item)).map((item) => item.id);
  const planned = toPlan.filter((item) => item.change !== 0 && !left.has(item));
  send(tx, unplanItems(tx, unplanned), clearPlanned(tx, planned));
  const waiting = known.filter((row) => row.change !== null).length - toPlan.filter((item) => item.change !== 0).length;
  return page.gone.length > 0 || left.size > 0 || waiting > 0;
}

/** Of an item that the planner did not have to look at until now. */
const firstChange = 1;
