import { printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import type { EventTimes } from '../wall-clock.ts';
import type { EventWhen } from './edit-shapes.ts';

/**
 * Returns the `when` of an event after a drop. Times stay in the event's own zone, so that a series keeps its wall time
 * across DST changes. All-day events that are given hours take the grid's zone.
 *
 * A wall time cannot name the second of a doubled hour: a start in it becomes the first.
 */
export function whenOfDrop(before: EventWhen, dropped: EventTimes, gridZone: Zone): EventWhen {
  if (dropped.allDay !== undefined) {
    return { kind: 'all-day', start: dropped.allDay.firstDay, end: dropped.allDay.endDay };
  }
  const zone = before.kind === 'timed' ? (loadZone(before.zone) ?? gridZone) : gridZone;
  const startWall = zone.toLocal(dropped.startMs);
  const endWall = zone.toLocal(dropped.endMs);
  return {
    kind: 'timed',
    start: printMinuteOf(startWall),
    // The clocks went back during it: it ends at an earlier wall time than it began, or at the same.
    end: printMinuteOf(endWall > startWall ? endWall : startWall + Math.max(0, dropped.endMs - dropped.startMs)),
    zone: before.kind === 'timed' ? before.zone : gridZone.id,
  };
}

const printMinuteOf = (wallMs: number) => printLocalDateTime(wallMs).slice(0, 16);
