import { ownerZoneReading } from '#features/accounts/public.ts';
import { holdRulesReading } from '#features/availability/public.ts';
import { type HoldRules, holdRankIn, type Rank } from '#features/availability/rules/hold-rules.ts';
import type { Calendar, Connection } from '#features/connections/public.ts';
import { calendarsReading, capabilitiesOf, connectionsReading } from '#features/connections/public.ts';
import type { CalendarId, ConnectionId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { readTogether } from '#platform/reading.ts';
import { type Pair, roomAmong } from './rules/desired.ts';
import { mirrorRuleOf } from './rules/mirror-rule.ts';
import { obstaclesOf, suspensionOf } from './rules/obstacles.ts';
import { type SyncSettings, underSettings } from './rules/sync-settings.ts';
import { expandedHorizon, mirrorWindow } from './rules/window.ts';
import type { GroupsOfUser, PairRow } from './store/groups.ts';
import { groupsReading } from './store/groups.ts';
import { settingsReading } from './store/settings.ts';

/** All that planning needs to know of a person besides events and ledger: read in one statement. */
export interface World extends GroupsOfUser {
  userId: UserId;
  settings: SyncSettings;
  zone: string;
  calendars: Map<CalendarId, Calendar>;
  connections: Map<ConnectionId, Connection>;
  holdRules: HoldRules;
  nowMs: number;
}

export async function loadWorld(db: Database, userId: UserId, nowMs: number): Promise<World> {
  const [zone, calendars, connections, groups, settings, holdRules] = await readTogether(db, [
    ownerZoneReading(userId),
    calendarsReading(userId),
    connectionsReading(userId),
    groupsReading(userId),
    settingsReading(userId),
    holdRulesReading(userId),
  ]);
  return {
    ...groups,
    settings,
    userId,
    zone,
    calendars: new Map(calendars.map((calendar) => [calendar.id, calendar])),
    connections: new Map(connections.map((connection) => [connection.id, connection])),
    holdRules,
    nowMs,
  };
}

/** A pair of a group with the row that says what is different about it, if there is one. */
export interface RuledPair extends Pair {
  groupId: PairRow['groupId'];
  sourceCalendarId: CalendarId;
  row: PairRow | null;
}

export interface Pairs {
  ofSource(calendarId: CalendarId): RuledPair[];
  find(sourceCalendarId: CalendarId, targetCalendarId: CalendarId): RuledPair | null;
  /** Targets that cannot be written now: what stands there is neither added to nor removed. */
  isSuspended(targetCalendarId: CalendarId): boolean;
}

/** Every direction of every group that is on, with the rule in force. */
export function pairsOf(world: World): Pairs {
  const horizonMs = expandedHorizon(world.nowMs, world.zone);
  const pairs = new Map<CalendarId, RuledPair[]>();
  const made = new Map<string, Rank>(
    world.holdRules.flatMap(({ kind, value, rank }) => (kind === 'item' ? [[value, rank] as const] : [])),
  );
  const rowOf = new Map(world.pairs.map((row) => [`${row.sourceCalendarId} ${row.targetCalendarId}`, row]));
  for (const group of world.groups) {
    const members = world.members.filter((member) => member.groupId === group.id);
    for (const source of members) {
      for (const target of members) {
        const row = rowOf.get(`${source.calendarId} ${target.calendarId}`) ?? null;
        const calendar = world.calendars.get(target.calendarId);
        const connection = calendar === undefined ? undefined : world.connections.get(calendar.connectionId);
        if (obstaclesOf({ group, source, target, row, connection }).length > 0) continue;
        // a calendar that is being disconnected has no connection, which is an obstacle
        if (calendar === undefined || connection === undefined) continue;
        const asked = mirrorRuleOf(underSettings(world.settings, group.rule), row?.rule);
        const capabilities = capabilitiesOf(connection);
        // a color that cannot be written must not count as missing when the block is read back
        const rule = capabilities.colorless === true ? { ...asked, color: null } : asked;
        const list = pairs.get(source.calendarId) ?? [];
        list.push({
          groupId: group.id,
          sourceCalendarId: source.calendarId,
          targetCalendarId: calendar.id,
          targetConnectionId: connection.id,
          targetAddresses: connection.addresses.map((address) => address.toLowerCase()),
          series: capabilities.series,
          holdRank: holdRankIn(world.holdRules, source.calendarId),
          made,
          rule,
          window: mirrorWindow(rule, world.nowMs, world.zone),
          horizonMs,
          room: roomAmong(1),
          row,
        });
        pairs.set(source.calendarId, list);
      }
    }
  }
  for (const list of pairs.values()) for (const pair of list) pair.room = roomAmong(list.length);
  return {
    ofSource: (calendarId) => pairs.get(calendarId) ?? [],
    find: (source, target) => pairs.get(source)?.find((pair) => pair.targetCalendarId === target) ?? null,
    isSuspended(targetCalendarId) {
      const calendar = world.calendars.get(targetCalendarId);
      return calendar !== undefined && suspensionOf(calendar) !== null;
    },
  };
}
