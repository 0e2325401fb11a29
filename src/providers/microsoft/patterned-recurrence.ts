import * as z from 'zod/mini';

/** Recurrence as Graph has it. Source: recurrencePattern, recurrenceRange (v1.0). */

/** In the order of the kernel's weekday numbers: 0 = Monday. */
export const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** The n-th of its month, as the kernel counts it. */
export const indexes = { first: 1, second: 2, third: 3, fourth: 4, last: -1 } as const;

const weekday = z.enum(weekdayNames);
const count = z.number().check(z.int(), z.minimum(0));

/** Properties that a type ignores are sent as 0, [] or their default; those are not looked at. */
const pattern = z.object({
  type: z.enum(['daily', 'weekly', 'absoluteMonthly', 'relativeMonthly', 'absoluteYearly', 'relativeYearly']),
  interval: z.number().check(z.int(), z.minimum(1)),
  month: z.nullish(count),
  dayOfMonth: z.nullish(count),
  daysOfWeek: z.nullish(z.array(weekday)),
  firstDayOfWeek: z.nullish(weekday),
  index: z.nullish(z.enum(['first', 'second', 'third', 'fourth', 'last'])),
});

const range = z.object({
  type: z.enum(['endDate', 'noEnd', 'numbered']),
  startDate: z.string(),
  endDate: z.nullish(z.string()),
  numberOfOccurrences: z.nullish(count),
  recurrenceTimeZone: z.nullish(z.string()),
});

/** Anything else (a lunar calendar, a type of tomorrow) is no pattern that we know. */
export const patternedRecurrence = z.object({ pattern, range });

export type RecurrencePattern = z.infer<typeof pattern>;
export type PatternedRecurrence = z.infer<typeof patternedRecurrence>;
