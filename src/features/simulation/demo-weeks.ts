/** An event of a simulated account, in the words of a person. */
export interface DemoEvent {
  title: string;
  /** Days from Monday of this week. */
  day: number;
  /** Wall clock; absent: all day. */
  time?: string;
  minutes?: number;
  /** Length of an all-day event. */
  days?: number;
  /** Every week from then on. */
  weekly?: boolean;
  place?: string;
  free?: boolean;
  private?: boolean;
}

export interface DemoCalendar {
  name: string;
  color: string;
  events: DemoEvent[];
}

/**
 * The working half of two lives that get in each other's way: what is at one account is not known at the other. The
 * private half is the demo account of the Google emulator.
 */
export const demoWeeks: Record<'microsoft', { primary: DemoCalendar; second: DemoCalendar }> = {
  microsoft: {
    primary: {
      name: 'Calendar',
      color: '#0078d4',
      events: [
        { title: 'Team stand-up', day: 0, time: '09:30', minutes: 15, weekly: true },
        { title: 'Planning', day: 0, time: '10:00', minutes: 90, weekly: true },
        { title: 'Interview: designer', day: 2, time: '11:00', minutes: 60, private: true },
        { title: 'Customer call', day: 3, time: '15:00', minutes: 45, place: 'Microsoft Teams' },
        { title: 'Quarterly review', day: 4, time: '10:30', minutes: 120, place: 'Room 4' },
        { title: 'Out of office', day: 14, days: 2 },
      ],
    },
    second: {
      name: 'Project Aurora',
      color: '#8764b8',
      events: [
        { title: 'Aurora sync', day: 1, time: '13:00', minutes: 30, weekly: true },
        { title: 'Release window', day: 9, time: '19:00', minutes: 120 },
      ],
    },
  },
};

/** `2027-03-08` of the Monday that week's days are counted from. */
export function mondayOf(nowMs: number, zone: string): Temporal.PlainDate {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  return today.subtract({ days: today.dayOfWeek - 1 });
}
