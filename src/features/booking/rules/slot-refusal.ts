import { AppError } from '#kernel/errors.ts';
import type { SlotReason } from '#kernel/slots/decide-slot.ts';
import type { Time } from './wanted-time.ts';

/** a lost race, or a new conflict: a time that was offered a moment ago may be refused with these */
const taken = new Set<SlotReason['kind']>(['busy', 'booked', 'held', 'full', 'limit-day', 'limit-week', 'limit-month']);

/** Nothing but what came up is in the way: the time could have been offered. */
export const isTakenBy = (reasons: readonly SlotReason[]) => reasons.every(({ kind }) => taken.has(kind));

/**
 * A time that cannot be booked; which of the host's things is in its way is nobody's business.
 * `SLOT_TAKEN` where it could have been offered, else `NOT_BOOKABLE`.
 */
export function slotRefusal(reasons: readonly SlotReason[]): AppError {
  // nobody may have booked it: an event that was there all along is in the way too
  return isTakenBy(reasons) ? slotUnavailable() : notBookable(unavailable);
}

const unavailable = "This time isn't available. Choose another.";
/** Another guest may have booked it long ago. */
export const slotUnavailable = () => new AppError('conflict', 'SLOT_TAKEN', unavailable);

/** It was free a moment ago. */
export const slotTaken = () => new AppError('conflict', 'SLOT_TAKEN', 'This time was just booked. Choose another.');

/** A seat is left, but not for everybody. */
export function tooFewSeats(): AppError {
  const message = "There aren't enough seats left. Add fewer guests.";
  return new AppError('invalid', 'INVALID_INPUT', message, { fields: { guests: message } });
}

export const notBookable = (message: string) => new AppError('conflict', 'NOT_BOOKABLE', message);

/** The time is not to be had, whyever. */
export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'SLOT_TAKEN' || error.code === 'NOT_BOOKABLE');

/** The refused one of several times that are booked or reserved at once. */
export class RefusedTime extends AppError {
  readonly time: Time;

  constructor(refusal: AppError, time: Time) {
    super('conflict', refusal.code, refusal.message, { cause: refusal });
    this.time = time;
  }
}

/** The same refusal with the start that was refused and starts that can be had instead, epoch minutes. */
export function withNearest(refusal: AppError, refusedMs: number, startsMs: readonly number[]): AppError {
  const fields = { start: String(refusedMs / 60_000), nearest: startsMs.map((ms) => ms / 60_000).join(',') };
  return new AppError('conflict', refusal.code, refusal.message, { cause: refusal, fields });
}
