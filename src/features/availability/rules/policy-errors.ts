import { AppError } from '#kernel/errors.ts';

export const noPolicy = () => new AppError('not-found', 'NOT_FOUND', 'There is no such policy.');

export const stalePolicy = () =>
  new AppError(
    'conflict',
    'STALE',
    'These hours were saved elsewhere meanwhile. Nothing was overwritten: look at both and choose what to keep.',
  );

export function nameTaken(cause: unknown): AppError {
  const message = 'You have a policy of this name already. Nothing was saved; choose another name.';
  return new AppError('conflict', 'NAME_TAKEN', message, { cause, fields: { name: message } });
}

export const tooMany = (what: string, most: number) =>
  new AppError('conflict', 'TOO_MANY', `There are ${most} ${what} already. Remove one that is not needed first.`);
