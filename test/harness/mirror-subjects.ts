import { type HoldRankOf, noHolds } from '#features/availability/rules/hold-rules.ts';
import { type Origin, type Pair, roomAmong } from '../../src/features/sync/rules/desired.ts';
import { defaultMirrorRule, type MirrorRule } from '../../src/features/sync/rules/mirror-rule.ts';
import type { LedgerRow } from '../../src/features/sync/rules/plan.ts';
import { expandedHorizon, mirrorWindow } from '../../src/features/sync/rules/window.ts';
import type { Core, EventBody } from '../../src/kernel/event.ts';
import type { CalendarId, ConnectionId, ItemId, MirrorId } from '../../src/kernel/ids.ts';
import type { SeriesShape } from '../../src/providers/port.ts';

/** Subjects of the planner's rules with ordinary defaults: a test names only the relevant fields. */

export const plannedAtMs = Temporal.Instant.from('2027-03-01T09:00:00Z').epochMilliseconds;
export const sourceId = 'source' as CalendarId;

export function ordinaryCore(more: Partial<Core> = {}): Core {
  return { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Review', ...more };
}

export function timedBody(start: string, seconds: number, more: Partial<Core> = {}): EventBody {
  return {
    kind: 'single',
    when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds } },
    core: ordinaryCore(more),
  };
}

export function ordinaryOrigin(more: Partial<Origin> = {}): Origin {
  return {
    itemId: 'item' as ItemId,
    calendarId: sourceId,
    uid: 'a@x',
    body: timedBody('2027-03-02T15:00:00', 3600),
    gone: false,
    own: false,
    tooDense: false,
    calendarZone: 'America/New_York',
    ownerZone: 'Europe/Berlin',
    calendarName: 'Work',
    accountLabel: 'me@example.com',
    ...more,
  };
}

export const seriesShapes = ['native', 'punch-out', 'expanded'] as const satisfies SeriesShape[];

export interface PairMore {
  rule?: Partial<MirrorRule>;
  target?: string;
  series?: SeriesShape;
  targetAddresses?: string[];
  holdRank?: HoldRankOf;
  made?: Pair['made'];
  nowMs?: number;
  zone?: string;
  room?: Pair['room'];
}

export function ordinaryPair(more: PairMore = {}): Pair {
  const rule: MirrorRule = { ...defaultMirrorRule, ...more.rule };
  const target = more.target ?? 'target';
  return {
    targetCalendarId: target as CalendarId,
    targetConnectionId: `${target} account` as ConnectionId,
    targetAddresses: more.targetAddresses ?? [],
    series: more.series ?? 'native',
    holdRank: more.holdRank ?? noHolds,
    ...(more.made === undefined ? {} : { made: more.made }),
    rule,
    window: mirrorWindow(rule, more.nowMs ?? plannedAtMs, more.zone ?? 'Europe/Berlin'),
    horizonMs: expandedHorizon(more.nowMs ?? plannedAtMs, more.zone ?? 'Europe/Berlin'),
    room: more.room ?? roomAmong(1),
  };
}

export function ordinaryRow(more: Partial<LedgerRow> = {}): LedgerRow {
  return {
    id: 'row' as MirrorId,
    originItemId: 'item' as ItemId,
    originCalendarId: sourceId,
    originUid: 'a@x',
    recId: '',
    targetCalendarId: 'target' as CalendarId,
    generation: 1,
    state: 'created',
    reason: null,
    desiredHash: 'hash',
    seen: null,
    userDeletedAtMs: null,
    removalTried: false,
    restored: 0,
    restoredAtMs: null,
    waits: false,
    ...more,
  };
}
