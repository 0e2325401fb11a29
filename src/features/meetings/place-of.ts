import type { Viewer } from '#features/calendar/public.ts';
import type { CalendarId } from '#kernel/ids.ts';

/** A calendar as the console names it. */
export interface Place {
  calendar_id: string;
  provider: string;
  account: string;
  subcalendar: string;
  color: string;
}

export function placeOf(viewer: Viewer, calendarId: CalendarId): Place {
  const face = viewer.faces.get(calendarId);
  return {
    calendar_id: calendarId,
    provider: face?.provider ?? 'caldav',
    account: face?.account ?? '',
    subcalendar: face?.calendar.name ?? '',
    color: face?.calendar.color ?? '#8e8e93',
  };
}
