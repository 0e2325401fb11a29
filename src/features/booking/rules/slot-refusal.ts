import { AppError } from '#kernel/errors.ts';
import type { SlotReason } from '#kernel/slots/decide-slot.ts';

/** Somebody was there first, or something came up: what was offered a moment ago may say so. */
const taken = new Set<SlotReason['kind']>(['busy', 'booked', 'held', 'full', 'limit-day', 'limit-week', 'limit-month']);

/**
 * A time that cannot be booked; which of the host's things is in its way is nobody's business.
 * `SLOT_TAKEN` where it could have been offered, else `NOT_BOOKABLE`.
 */
export function slotRefusal(reasons: readonly SlotReason[]): AppError {
  const isTaken = reasons.every(({ kind }) => taken.has(kind));
  return isTaken ? slotTaken() : notBookable('This time is not offered. Nothing was booked.');
}

export const slotTaken = () =>
  new AppError('conflict', 'SLOT_TAKEN', 'This time has just been taken. Nothing was booked; choose another.');

export const notBookable = (message: string) => new AppError('conflict', 'NOT_BOOKABLE', message);

/** The same refusal with starts that can be had instead, epoch minutes. */
export function withNearest(refusal: AppError, startsMs: readonly number[]): AppError {
  const nearest = startsMs.map((ms) => Math.round(ms / 60_000)).join(',');
  return new AppError('conflict', refusal.code, refusal.message, { cause: refusal, fields: { nearest } });
}
