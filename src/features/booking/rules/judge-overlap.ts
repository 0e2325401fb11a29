import type { CalendarId } from '#kernel/ids.ts';
import { defaultSettings, type TypeSettings } from './type-settings.ts';

interface Overlapping {
  calendarId: CalendarId;
  class: 'busy' | 'soft';
  rank: number;
}

/**
 * Decides about an event that overlaps a booking by its event type: a conflict, a hold that the booking overrides, or
 * nothing, if its calendar does not block.
 */
export function judgeOverlap(
  event: Overlapping,
  settings: Partial<Pick<TypeSettings, 'rank' | 'blocking_calendar_ids'>> | null,
): 'conflict' | 'overbooked' | null {
  const { rank, blocking_calendar_ids: blocking } = { ...defaultSettings('one-on-one'), ...settings };
  if (blocking !== null && !blocking.includes(event.calendarId)) return null;
  return event.class === 'busy' || event.rank <= rank ? 'conflict' : 'overbooked';
}
