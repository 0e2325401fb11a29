/** Why nothing of one calendar is mirrored to another, whatever the event. */
export type Obstacle = 'group-off' | 'same-calendar' | 'not-source' | 'not-target' | 'pair-off' | 'leaving';

/** Two members of one group. */
interface Direction {
  group: { enabled: boolean };
  source: { calendarId: string; isSource: boolean };
  target: { calendarId: string; isTarget: boolean };
  /** The pair's differences from its group; null without any. */
  row: { enabled: boolean } | null;
  /** The connection of the target; absent while it is being disconnected, and after. */
  connection: { status: string } | undefined;
}

/** All that stands in the way of a direction of a group; empty where its rule is in force. */
export function obstaclesOf({ group, source, target, row, connection }: Direction): Obstacle[] {
  const found: Obstacle[] = [];
  if (!group.enabled) found.push('group-off');
  if (source.calendarId === target.calendarId) found.push('same-calendar');
  if (!source.isSource) found.push('not-source');
  if (!target.isTarget) found.push('not-target');
  if (row?.enabled === false) found.push('pair-off');
  if (connection === undefined || connection.status === 'disconnecting') found.push('leaving');
  return found;
}

/** Why a target cannot be written now, though its rule is in force: what stands there is neither added to nor removed. */
export function suspensionOf(target: { removed: boolean; writable: boolean }): 'removed' | 'not-writable' | null {
  if (target.removed) return 'removed';
  return target.writable ? null : 'not-writable';
}
