import { TwoLines } from '#ui/data-table.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import styles from './calendar-label.module.css';
import type { NamedCalendar } from './queries.ts';

/** Colour, name and account of a calendar. */
export function CalendarLabel({ calendar }: { calendar: NamedCalendar }) {
  return (
    <span className={styles.label}>
      <ColorMark color={calendar.color} />
      <TwoLines first={calendar.name} second={calendar.account} />
    </span>
  );
}

/** The name of a calendar that may have gone since. */
export function calendarName(calendars: readonly NamedCalendar[], calendarId: string, unknown: string): string {
  return calendars.find((calendar) => calendar.calendarId === calendarId)?.fullName ?? unknown;
}
