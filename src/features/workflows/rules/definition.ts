import * as z from 'zod/mini';
import { id } from '#kernel/codecs.ts';
import { actionShape } from './action.ts';

/** A version of a workflow: its trigger, filters, and steps in order. A stored version never changes. */

/** Begun by a time of the booking. */
export const timedTriggers = ['before-event', 'after-event'] as const;
/** Begun by what happens to a booking. */
export const bookingTriggers = [
  'booking-created',
  'booking-cancelled',
  'booking-requested',
  'booking-confirmed',
  'booking-rejected',
  'booking-rescheduled',
  'no-show',
] as const;
/** Begun by what is no booking. */
export const otherTriggers = ['form-submitted', 'calendar-disconnected', 'mirror-failed'] as const;

/** In the order in which they are offered: those of every day first. */
export const triggers = [
  'before-event',
  'after-event',
  'booking-created',
  'booking-cancelled',
  'booking-requested',
  'booking-confirmed',
  'booking-rejected',
  'booking-rescheduled',
  'no-show',
  'form-submitted',
  'calendar-disconnected',
  'mirror-failed',
] as const satisfies readonly (
  | (typeof timedTriggers)[number]
  | (typeof bookingTriggers)[number]
  | (typeof otherTriggers)[number]
)[];
export type Trigger = (typeof triggers)[number];

/** Triggers on offer. Calendars and mirrors belong to a person, not to a team. */
export const offeredTriggers = (isOfTeam: boolean) =>
  triggers.filter((trigger) => !isOfTeam || trigger === 'form-submitted' || isAboutBooking(trigger));

export const isTimed = (trigger: Trigger): trigger is (typeof timedTriggers)[number] =>
  (timedTriggers as readonly Trigger[]).includes(trigger);
export const isAboutBooking = (trigger: Trigger): boolean => !(otherTriggers as readonly Trigger[]).includes(trigger);

/** Minutes and hours are lengths of time; days and weeks are days of the host's calendar, at the same time of the clock. */
export const offsetUnits = ['minutes', 'hours', 'days', 'weeks'] as const;
const offsetShape = z.strictObject({
  amount: z.int().check(z.gte(0), z.lte(10_080)),
  unit: z.enum(offsetUnits),
});
export type Offset = z.infer<typeof offsetShape>;

const minutesOf = { minutes: 1, hours: 60, days: 1_440, weeks: 10_080 } as const;
export const mostOffsetMinutes = 60 * 1_440;
export const roughMinutes = ({ amount, unit }: Offset) => amount * minutesOf[unit];

const clock = z.string().check(z.regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/));

const stepShape = z.strictObject({ id: id<'step'>(), action: actionShape });
export type Step = z.infer<typeof stepShape>;

const idList = <Name extends string>() =>
  z.nullable(
    z.array(id<Name>()).check(
      z.minLength(1),
      z.maxLength(200),
      z.refine((ids: string[]) => new Set(ids).size === ids.length, { error: 'One is named twice' }),
    ),
  );

export const mostSteps = 10;

export const definitionShape = z
  .strictObject({
    trigger: z.enum(triggers),
    offset: offsetShape,
    /** Null: all of them. */
    filter: z.strictObject({ event_type_ids: idList<'event-type'>() }),
    /** Handling of a step whose time has passed when the booking is made or moved. */
    if_past: z.enum(['skip', 'send-now']),
    /** Handling of a step that missed its time, for example because the server was down. */
    if_late: z.enum(['skip', 'send']),
    /** When nobody is written to, by the clock of whom it is for; null: never. */
    quiet_hours: z.nullable(
      z
        .strictObject({ from: clock, to: clock })
        .check(z.refine(({ from, to }) => from !== to, { path: ['to'], error: 'This would be the whole day' })),
    ),
    steps: z.array(stepShape).check(
      z.minLength(1),
      z.maxLength(mostSteps),
      z.refine((steps: { id: string }[]) => new Set(steps.map((step) => step.id)).size === steps.length, {
        error: 'The same step is listed twice',
      }),
    ),
  })
  .check(
    z.refine(({ offset }) => roughMinutes(offset) <= mostOffsetMinutes, {
      path: ['offset', 'amount'],
      error: 'At most 60 days',
    }),
  );
export type Definition = z.infer<typeof definitionShape>;
