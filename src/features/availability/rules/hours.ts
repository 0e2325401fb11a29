import * as z from 'zod/mini';
import { parseLocalDate } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';

/** The content of a policy, in the database and in the API. */

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const mostIntervals = 12;
export const mostOverrides = 366;
/** Time ranges and dates of all policies of a person together: every answer has them all. */
export const mostTimes = 5_000;

const startTime = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'Expected a time such as 09:00' }));
const endTime = z
  .string()
  .check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, { error: 'Expected a time such as 17:00' }));

/** Wall-clock hours of one day. An end that is not after the start is on the next day; 24:00 is the day's own end. */
const interval = z.strictObject({ start: startTime, end: endTime }).check(
  z.refine(({ start, end }) => start !== end, {
    error: 'Start and end are the same time. For a whole day, use 00:00 to 24:00.',
    path: ['end'],
  }),
);
const intervals = z.array(interval).check(z.maxLength(mostIntervals));

/** A day off keeps its hours for when it is one of work again. */
const dayHours = z.strictObject({ enabled: z.boolean(), intervals });

export const zoneName = z.string().check(
  z.maxLength(64),
  z.refine((name) => loadZone(name)?.id === name, { error: 'Expected a time zone such as Europe/Berlin' }),
);

/** A date without zone, `2027-03-08`. */
export const dayShape = z.string().check(
  z.maxLength(10),
  // aborts: checks of what surrounds it compute with the date
  z.refine((text) => parseLocalDate(text) !== null, { error: 'Expected a date such as 2027-03-08', abort: true }),
);

export const hoursShape = z.strictObject({
  timezone: zoneName,
  weekly: z.strictObject({
    monday: dayHours,
    tuesday: dayHours,
    wednesday: dayHours,
    thursday: dayHours,
    friday: dayHours,
    saturday: dayHours,
    sunday: dayHours,
  }),
  /** Each replaces its whole day; without intervals the day is closed. */
  overrides: z.array(z.strictObject({ date: dayShape, intervals })).check(
    z.maxLength(mostOverrides),
    z.refine((list) => new Set(list.map(({ date }) => date)).size === list.length, {
      error: 'Each date can have only one override.',
    }),
  ),
});

export type Hours = z.output<typeof hoursShape>;
export type Interval = z.output<typeof interval>;

/** The zone of the specification, for people who never said where they live. */
export const defaultZone = 'America/New_York';

/** Everybody's until they save their own: Monday to Friday, nine to five, where they live. */
export function defaultHours(ownerZone: string): Hours {
  const day = (enabled: boolean) => ({ enabled, intervals: [{ start: '09:00', end: '17:00' }] });
  return {
    timezone: ownerZone === 'UTC' ? defaultZone : ownerZone,
    weekly: {
      monday: day(true),
      tuesday: day(true),
      wednesday: day(true),
      thursday: day(true),
      friday: day(true),
      saturday: day(false),
      sunday: day(false),
    },
    overrides: [],
  };
}
