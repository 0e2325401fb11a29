import { mostInstancesOfPerson, readingLimits } from '#kernel/work-limits.ts';

/** Problem of a series whose instances are not kept: it has too many of them, or there is no room for them. */
export const tooDense = 'too dense';

/** How many more rows a calendar may have in the busy index, by the rows that it and its person have. */
export function roomIn({ ofCalendar, ofPerson }: { ofCalendar: number; ofPerson: number }): number {
  return Math.max(0, Math.min(readingLimits.instances - ofCalendar, mostInstancesOfPerson - ofPerson));
}
