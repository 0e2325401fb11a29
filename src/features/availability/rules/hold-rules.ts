import type { Core } from '#kernel/event.ts';

/** What makes an event a hold. `value` is a calendar's id, a prefix, a colour `#rrggbb` or a category; '' for the others. */
export const holdKinds = ['calendar', 'title-prefix', 'color', 'category', 'tentative', 'focus'] as const;
export type HoldKind = (typeof holdKinds)[number];

/** 1 is critical, 4 low: what is asked for with a smaller number may be booked over the hold. */
export type Rank = 1 | 2 | 3 | 4;

export interface HoldRule {
  kind: HoldKind;
  value: string;
  rank: Rank;
}

/** The rank of the hold that an event is; null where it is none. */
export type HoldRankOf = (core: Core) => Rank | null;

export const noHolds: HoldRankOf = () => null;

/** Reads a person's rules for the events of one calendar. Of several that match, the most important rank counts. */
export function holdRankIn(rules: readonly HoldRule[], calendarId: string): HoldRankOf {
  const own = rules.filter(({ kind, value }) => kind !== 'calendar' || value === calendarId);
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
