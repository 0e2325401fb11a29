import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { holdRankIn, madeRankOf } from '#features/availability/rules/hold-rules.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { ItemId, UserId } from '#kernel/ids.ts';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import type { Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { type Reading, readingAs, type Span, spansOf } from './rules/materialise.ts';
import { roomIn, tooDense } from './rules/span-room.ts';
import { type listRolling, markDensity, replaceSpans, unplanItems } from './store/items.ts';
import { countSpans } from './store/spans.ts';

type Items = Awaited<ReturnType<typeof listRolling>>;

/** How the events of people's calendars are read, each person asked about once. */
export type KnownReadings = Map<UserId, ReturnType<typeof loadReading>>;

/**
 * Computes the instances of items that the caller holds anew. A series that has no room left in its calendar has no instances
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
    const loading = known.get(first.userId) ?? loadReading(tx, first.userId);
    known.set(first.userId, loading);
    const { ownerZone, zones, rules } = await loading;
    const reading = {
      ownerZone,
      calendarZone: zones.get(calendarId) ?? ownerZone,
      holdRank: holdRankIn(rules, calendarId),
    };
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

/** What has no room left is too dense for it. */
function spansWithin(expand: () => ReturnType<typeof spansOf>): ReturnType<typeof spansOf> {
  try {
    return expand();
  } catch (error) {
    if (error instanceof WorkLimitError) return { spans: [], problem: tooDense };
    throw error;
  }
}

async function loadReading(tx: Tx, userId: UserId) {
  return {
    ownerZone: await loadOwnerZone(tx, userId),
    zones: new Map<string, string>((await listCalendars(tx, userId)).map(({ id, zone }) => [id, zone])),
    rules: await listHoldRules(tx, userId),
  };
}
