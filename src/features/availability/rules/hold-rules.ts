import type { Core } from '#kernel/event.ts';
import type { ItemId } from '#kernel/ids.ts';

/** The condition for a tentative hold. `value` is a calendar id, a prefix, a color `#rrggbb` or a category, else ''. */
export const holdKinds = ['calendar', 'title-prefix', 'color', 'category', 'tentative', 'focus'] as const;
export type HoldKind = (typeof holdKinds)[number];

/** 1 is critical, 4 low: what is asked for with a smaller number may be booked over the hold. */
export type Rank = 1 | 2 | 3 | 4;

export interface HoldRule {
  kind: HoldKind;
  value: string;
  rank: Rank;
}

/** An event that was made as a hold here: its rank counts, whatever the rules say. */
export interface MadeHold {
  kind: 'item';
  value: ItemId;
  rank: Rank;
}

/** All that makes events of a person holds. */
export type HoldRules = readonly (HoldRule | MadeHold)[];

/** The rank of the hold that an event is; null where it is none. */
export type HoldRankOf = (core: Core) => Rank | null;

export const noHolds: HoldRankOf = () => null;

/**
 * Returns the ranks of holds among one calendar's events, or of one event that was created as a hold. If several rules
 * match, the most important rank counts.
 */
export function holdRankIn(rules: HoldRules, calendarId: string, itemId: ItemId | null = null): HoldRankOf {
  const made = itemId === null ? null : madeRankOf(rules, itemId);
  if (made !== null) return () => made;
  const own = rules.filter(
    (rule): rule is HoldRule => rule.kind !== 'item' && (rule.kind !== 'calendar' || rule.value === calendarId),
  );
  if (own.length === 0) return noHolds;
  return (core) => {
    let rank: Rank | null = null;
    for (const rule of own) if (matches(rule, core) && (rank === null || rule.rank < rank)) rank = rule.rank;
    return rank;
  };
}

function matches({ kind, value }: HoldRule, core: Core): boolean {
  switch (kind) {
    case 'calendar':
      return true;
    case 'title-prefix':
      return (core.title ?? '').trimStart().toLowerCase().startsWith(value.toLowerCase());
    case 'color':
      return core.color?.toLowerCase() === value.toLowerCase();
    case 'category':
      return core.categories?.some((category) => category.toLowerCase() === value.toLowerCase()) ?? false;
    case 'tentative':
      return core.busy === 'tentative' || core.self === 'tentative';
    case 'focus':
      return core.kind === 'focus';
  }
}

/** The rank that an event was made with as a hold; null where it was not. */
export function madeRankOf(rules: HoldRules, itemId: ItemId): Rank | null {
  return rules.find(({ kind, value }) => kind === 'item' && value === itemId)?.rank ?? null;
}

/**
 * Returns the rank of a hold at a moment: critical from a set time before its start. The database answers the same in
 * `calendar/store/spans.ts`. *Units*: epoch ms and elapsed ms, also across DST changes.
 */
export function rankAt(hold: { rank: Rank; hardenMs: number | null }, startMs: number, nowMs: number): Rank {
  return hold.hardenMs !== null && startMs - hold.hardenMs <= nowMs ? 1 : hold.rank;
}
