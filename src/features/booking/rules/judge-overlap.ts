import type { CalendarId } from '#kernel/ids.ts';
import { defaultSettings, type TypeSettings } from './type-settings.ts';

interface Overlapping {
  calendarId: CalendarId;
  class: 'busy' | 'soft';
  rank: number;
}

/**
 * What an event that overlaps a booking means by its event type: a conflict, a hold that the booking stands over, or
 * nothing, on a calendar that does not stand in its way.
 */
export function judgeOverlap(
  event: Overlapping,
  settings: Partial<Pick<TypeSettings, 'rank' | 'blocking_calendar_ids'>> | null,
): 'conflict' | 'overbooked' | null {
  const { rank, blocking_calendar_ids: blocking } = { ...defaultSettings('one-on-one'), ...settings };
  if (blocking !== null && !blocking.includes(event.calendarId)) return null;
  return event.class === 'busy' || event.rank <= rank ? 'conflict' : 'overbooked';
}
