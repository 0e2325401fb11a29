import { printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import type { EventTimes } from '../wall-clock.ts';
import type { EventWhen } from './edit-shapes.ts';

/**
 * What an event's `when` becomes once it is dropped at these times: on the clock of its own zone, so that a series goes
 * on with its wall time over the changes of the clocks. Whole days that get hours take the zone they were dropped in.
 *
 * The wall cannot name the second of a doubled hour: a start in it becomes the first.
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
