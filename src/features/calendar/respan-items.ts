import { holdRankIn, madeRankOf } from '#features/availability/rules/hold-rules.ts';
import type { ItemId } from '#kernel/ids.ts';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import type { Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { type KnownReadings, loadClocks } from './load-clocks.ts';
import { type Reading, readingAs, type Span, spansOf } from './rules/materialise.ts';
import { roomIn, tooDense } from './rules/span-room.ts';
import { type listRolling, markDensity, replaceSpans, unplanItems } from './store/items.ts';
import { countSpans } from './store/spans.ts';

type Items = Awaited<ReturnType<typeof listRolling>>;

/**
 * Recomputes the instances of items that the caller has locked. A series without room in its calendar has no instances
 * in the busy index, and counts as too dense.
 */
export async function respanItems(
  tx: Tx,
  items: Items,
  window: { fromMs: number; toMs: number },
  known: KnownReadings,
): Promise<void> {
  for (const [calendarId, list] of Map.groupBy(items, (item) => item.calendarId)) {
    const [first] = list;
    if (first === undefined) continue;
    const { rules, ...clocks } = await loadClocks(tx, first, known);
    const reading = { ...clocks, holdRank: holdRankIn(rules, calendarId) };
    const ids = list.map((item) => item.id);
    const readingOf = (id: ItemId) => readingAs(reading, madeRankOf(rules, id));
    const room = roomIn(await countSpans(tx, first.userId, calendarId, ids));
    const budget = new WorkBudget({ ...readingLimits, instances: room });
    const { spans, dense, ready } = await inSlices(spanEach(list, readingOf, window, budget), budget);
    await replaceSpans(tx, first, ids, spans);
    await unplanItems(tx, await markDensity(tx, dense, ready));
  }
}

function* spanEach(
  list: Items,
  readingOf: (id: ItemId) => Reading,
  window: { fromMs: number; toMs: number },
  budget: WorkBudget,
): Sliced<{ spans: (Span & { itemId: ItemId })[]; dense: ItemId[]; ready: ItemId[] }> {
  const spans: (Span & { itemId: ItemId })[] = [];
  const dense: ItemId[] = [];
  const ready: ItemId[] = [];
  for (const { id, body, provenance } of list) {
    const found = spansWithin(() => spansOf(body, provenance, readingOf(id), window, budget));
    (found.problem === tooDense ? dense : ready).push(id);
    for (const span of found.spans) spans.push({ itemId: id, ...span });
    yield;
  }
  return { spans, dense, ready };
}

/** Returns no spans, and the problem "too dense", when the busy index has no room. */
function spansWithin(expand: () => ReturnType<typeof spansOf>): ReturnType<typeof spansOf> {
  try {
    return expand();
  } catch (error) {
    if (error instanceof WorkLimitError) return { spans: [], problem: tooDense };
    throw error;
  }
}
