import { eventLimits } from '#kernel/event.ts';
import { type Component, readProperty } from '#kernel/ical/content-lines.ts';
import { readDurationValue } from '#kernel/ical/date-value.ts';

/** Four weeks: the furthest that the large providers remind ahead. */
const maxMinutes = 40_320;

/**
 * How many minutes before the start an alarm reminds, or null where it says something else: at a time of its own, after
 * the start, before the end, by mail, or (ACTION:NONE) not at all. Source: RFC 5545 3.6.6, RFC 9074.
 */
export function reminderMinutes(alarm: Component): number | null {
  if (alarm.name !== 'VALARM') return null;
  let minutes: number | null = null;
  for (const line of alarm.lines) {
    if (line.name === 'ACTION' && !/^(?:DISPLAY|AUDIO)$/i.test(readProperty(line).value.trim())) return null;
    if (line.name !== 'TRIGGER') continue;
    const { parameters, value } = readProperty(line);
    if (parameters?.get('RELATED')?.toUpperCase() === 'END') return null;
    const length = readDurationValue(value);
    if (length === null) return null;
    minutes = 0 - Math.floor((length.days * 86_400 + length.seconds) / 60);
  }
  return minutes !== null && minutes >= 0 && minutes <= maxMinutes ? minutes : null;
}

/** The reminders of a VEVENT, the nearest first; undefined where it has none. */
export function readReminders(event: Component): number[] | undefined {
  if (event.components.length === 0) return undefined;
  const minutes = new Set<number>();
  for (const component of event.components) {
    const found = reminderMinutes(component);
    if (found !== null) minutes.add(found);
  }
  if (minutes.size === 0) return undefined;
  return [...minutes].sort((a, b) => a - b).slice(0, eventLimits.reminders);
}
