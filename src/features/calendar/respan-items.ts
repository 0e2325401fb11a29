import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { holdRankIn, madeRankOf } from '#features/availability/rules/hold-rules.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { readingAs, spansOf } from './rules/materialise.ts';
import { type listRolling, replaceSpans } from './store/items.ts';

type Items = Awaited<ReturnType<typeof listRolling>>;

/** How the events of people's calendars are read, each person asked about once. */
export type KnownReadings = Map<UserId, ReturnType<typeof loadReading>>;

/** Computes the instances of items that the caller holds anew. */
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
    const spans = list.flatMap((item) => {
      const made = readingAs(reading, madeRankOf(rules, item.id));
      return spansOf(item.body, item.provenance, made, window).spans.map((span) => ({ itemId: item.id, ...span }));
    });
    await replaceSpans(
      tx,
      first,
      list.map((item) => item.id),
      spans,
    );
  }
}

async function loadReading(tx: Tx, userId: UserId) {
  return {
    ownerZone: await loadOwnerZone(tx, userId),
    zones: new Map<string, string>((await listCalendars(tx, userId)).map(({ id, zone }) => [id, zone])),
    rules: await listHoldRules(tx, userId),
  };
}
