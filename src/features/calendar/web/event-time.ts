import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { TimeLabels } from './time-labels.ts';
import { type EventTimes, wallSpan } from './wall-clock.ts';

/** An event's hours: `8:15 – 10:15 AM`, `All day`. */
export function clockTime(event: EventTimes, zone: Zone, labels: TimeLabels, allDay: string): string {
  if (event.allDay !== undefined) return allDay;
  const span = wallSpan(zone, event);
  const start = Math.floor((span.startWallMs % dayMs) / minuteMs);
  return labels.range(start, start + Math.round((span.endWallMs - span.startWallMs) / minuteMs));
}

/** An event's day and hours: `Friday, November 20, 8:15 – 10:15 AM`; over several days, both ends with their day. */
export function fullTime(event: EventTimes, zone: Zone, labels: TimeLabels, allDay: string): string {
  const span = wallSpan(zone, event);
  const firstDay = Math.floor(span.startWallMs / dayMs);
  const lastDay = Math.max(firstDay, Math.ceil(span.endWallMs / dayMs) - 1);
  const first = labels.longDay(firstDay);
  if (event.allDay !== undefined) {
    return firstDay === lastDay ? `${first}, ${allDay}` : `${first} – ${labels.longDay(lastDay)}, ${allDay}`;
  }
  if (span.endWallMs - span.startWallMs < dayMs) return `${first}, ${clockTime(event, zone, labels, allDay)}`;
  const at = (wallMs: number) => labels.minute(Math.floor((wallMs % dayMs) / minuteMs));
  return `${first}, ${at(span.startWallMs)} – ${labels.longDay(Math.floor(span.endWallMs / dayMs))}, ${at(span.endWallMs)}`;
}
