import { AppError } from '#kernel/errors.ts';

/** Somebody answered it before, or its guest is gone. */
export const answered = () =>
  new AppError('conflict', 'TOO_LATE', 'This booking does not wait for an answer any more.');

export const endedAlready = () => new AppError('conflict', 'TOO_LATE', 'This booking has ended already.');

export const noSuchBooking = () => new AppError('not-found', 'NOT_FOUND', 'There is no such booking.');
