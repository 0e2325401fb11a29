import { randomUUIDv7 } from 'node:crypto';
import { listHoldRules } from '#features/availability/public.ts';
import { type HoldRules, holdRankIn, madeRankOf, noHolds } from '#features/availability/rules/hold-rules.ts';
import type { EventBody } from '#kernel/event.ts';
import { losesTime } from '#kernel/ical/reading-warning.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { mostInstancesOfPerson, readingLimits } from '#kernel/work-limits.ts';
import { send, type Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { keepKnown } from './rules/keep-known.ts';
import { type HashedItem, materialise, type Reading, readingAs, spansOf } from './rules/materialise.ts';
import { roomIn, tooDense } from './rules/span-room.ts';
import { spanWindow } from './rules/span-window.ts';
import type { PlannedItem } from './store/items.ts';
import {
  clearPlanned,
  listKnown,
  markDensity,
  markGone,
  replaceSpans,
  unplanItems,
  upsertItems,
} from './store/items.ts';
import { countSpans, noSpans, type SpanCount } from './store/spans.ts';

/** A calendar as the event store needs to know it. */
export interface CalendarOwner {
  calendarId: CalendarId;
  userId: UserId;
  /** Zone of floating times. */
  calendarZone: string;
  /** Zone of all-day events. */
  ownerZone: string;
  /** Where they are at hand. */
  holdRules?: HoldRules;
}

/** Plans what a page brought, in the transaction that brings it; answers with what it leaves to the planner. */
type PlanPage = (items: PlannedItem[]) => Promise<PlannedItem[]>;

/**
 * Stores one page of changes of a calendar: items, their instances in the busy index, and deletions. The caller's
 * transaction also stores the cursor. Applying the same page again changes nothing.
 *
 * Items that a listing lacks (`absent`) keep their time while the planner doubts it: a calendar that is suddenly empty
 * frees no time before its owner is asked. An event that became unreadable is kept as it was.
 *
 * `planPage` is given new items, and changed items that do not wait for the planner yet. The planner may be working on
 * the others. Returns whether the planner has something to do.
 *
 * `readingBudget` is the budget of the reading that brought the page. The reading fails if its calendar or person has
 * no room left in the busy index. Without a budget the page is stored, and its series count as too dense.
 *
 * *Errors*: WorkLimitError past the budget of the reading.
 */
export async function applyChanges(
  tx: Tx,
  calendar: CalendarOwner,
  page: { items: HashedItem[]; gone: string[]; absent?: string[] },
  nowMs: number,
  planPage: PlanPage = async (items) => items,
  readingBudget?: WorkBudget,
): Promise<boolean> {
  const { gone, absent = [] } = page;
  if (gone.length > 0) await markGone(tx, calendar.calendarId, gone, 'free');
  if (absent.length > 0) await markGone(tx, calendar.calendarId, absent, 'keep');
  const isLess = gone.length + absent.length > 0;
  if (page.items.length === 0) return isLess;
  const window = spanWindow(nowMs);
  // the same ref twice in one page: the last one counts, and one statement may not touch a row twice
  const byRef = new Map(page.items.map((item) => [item.ref, item]));
  const inPart = [...byRef.values()].filter(
    ({ body, warnings = [] }) => body.kind === 'withheld' || warnings.some(losesTime),
  );
  const known = await listKnown(
    tx,
    calendar.calendarId,
    inPart.map(({ ref }) => ref),
  );
  for (const item of inPart) {
    const before = known.get(item.ref);
    if (before !== undefined) byRef.set(item.ref, keptItem(item, before, calendar));
  }
  // a block of ours is no hold
  const readsOthers = page.items.some((item) => item.provenance === 'foreign');
  const rules = readsOthers ? (calendar.holdRules ?? (await listHoldRules(tx, calendar.userId))) : [];
  const reading = { ...calendar, holdRank: readsOthers ? holdRankIn(rules, calendar.calendarId) : noHolds };
  const budget = readingBudget ?? new WorkBudget(readingLimits);
  const shapes = await inSlices(materialiseEach([...byRef.values()], reading, window, budget), budget);
  const added = shapes.reduce((sum, shape) => sum + shape.spans.length, 0);
  const [stored, before] = await Promise.all([
    upsertItems(tx, calendar, shapes),
    added > 0 ? countSpans(tx, calendar.userId, calendar.calendarId, []) : noSpans,
  ]);
  const knownAs = new Map(stored.map((row) => [row.ref, row]));
  const replaced = stored.map((row) => row.id);
  const full = await limitMet(tx, calendar, { before, replaced, added });
  if (full !== null && readingBudget !== undefined) throw full;
  if (full !== null) {
    const left = shapes.filter((shape) => shape.recurring);
    for (const shape of left) Object.assign(shape, { spans: [], problem: tooDense });
    const ids = left.map((shape) => knownAs.get(shape.ref)?.id ?? shape.id);
    send(tx, markDensity(tx, ids, []));
  }
  const spans = shapes.flatMap((shape) => {
    const itemId = knownAs.get(shape.ref)?.id ?? shape.id;
    const made = madeRankOf(rules, itemId);
    // the owner of the item is known only now
    const { spans: own } =
      made === null || shape.provenance === 'own' || shape.spans.length === 0
        ? shape
        : // the same instances as before, which are counted already
          spansOf(shape.body, shape.provenance, readingAs(reading, made), window, new WorkBudget(readingLimits));
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
  send(tx, replaceSpans(tx, calendar, replaced, spans));
  const unseen = new Set(toPlan.length === 0 ? [] : await planPage(toPlan));
  const unplanned = toPlan.filter((item) => item.change === 0 && unseen.has(item)).map((item) => item.id);
  const planned = toPlan.filter((item) => item.change !== 0 && !unseen.has(item));
  send(tx, unplanItems(tx, unplanned), clearPlanned(tx, planned));
  const waiting =
    stored.filter((row) => row.change !== null).length - toPlan.filter((item) => item.change !== 0).length;
  return isLess || unseen.size > 0 || waiting > 0;
}

/** An item of which times are unknown, with what was known of it before. */
function keptItem(
  item: HashedItem,
  before: { uid: string | null; body: EventBody },
  { calendarZone, ownerZone }: CalendarOwner,
): HashedItem {
  const { ref, version, provenance, body: part, warnings = [] } = item;
  const reasons = part.kind === 'withheld' ? [part.reason, ...warnings] : warnings;
  const body = keepKnown(before.body, part, calendarZone, ownerZone);
  const uid = before.uid === null ? {} : { uid: before.uid };
  return { ref, ...uid, version, provenance, body, warnings: [...new Set(reasons)], kept: true };
}

function* materialiseEach(
  items: HashedItem[],
  reading: Reading,
  window: { fromMs: number; toMs: number },
  budget: WorkBudget,
) {
  const shapes = [];
  for (const item of items) {
    const id = item.id ?? (randomUUIDv7() as string as ItemId);
    shapes.push({ id, body: item.body, ...materialise(item, reading, window, budget) });
    yield;
  }
  return shapes;
}

/** The limit of a calendar or a person that these rows of the busy index would break; null where there is room. */
async function limitMet(
  tx: Tx,
  { userId, calendarId }: CalendarOwner,
  { before, replaced, added }: { before: SpanCount; replaced: ItemId[]; added: number },
): Promise<WorkLimitError | null> {
  if (added === 0 || roomIn(before) >= added) return null;
  // instances that these items replace are about to be removed
  const others = replaced.length === 0 ? before : await countSpans(tx, userId, calendarId, replaced);
  if (roomIn(others) >= added) return null;
  const ofCalendar = others.ofCalendar + added > readingLimits.instances;
  return new WorkLimitError('instances', ofCalendar ? readingLimits.instances : mostInstancesOfPerson);
}

/** Change number of an item that the planner has not had to look at yet. */
const firstChange = 1;
