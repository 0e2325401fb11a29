import { AppError } from '#kernel/errors.ts';

/** Somebody answered it before, or its guest is gone. */
export const answered = () => new AppError('conflict', 'TOO_LATE', 'This booking no longer needs an answer.');

export const endedAlready = () => new AppError('conflict', 'TOO_LATE', 'This booking was canceled or has ended.');

export const noSuchBooking = () => new AppError('not-found', 'NOT_FOUND', 'Booking not found.');
