import { AppError } from '#kernel/errors.ts';
import { mostTimes } from './hours.ts';

export const noPolicy = () => new AppError('not-found', 'NOT_FOUND', 'Policy not found.');

export const stalePolicy = () =>
  new AppError(
    'conflict',
    'STALE',
    'These hours were changed in another window. Nothing was overwritten. Compare both versions and choose one.',
  );

export function nameTaken(cause: unknown): AppError {
  const message = 'You already have a policy with this name. Choose another name.';
  return new AppError('conflict', 'NAME_TAKEN', message, { cause, fields: { name: message } });
}

export const tooMany = (what: string, most: number) =>
  new AppError('conflict', 'TOO_MANY', `You can have up to ${most} ${what}. Remove one you no longer need.`);

export const tooManyTimes = () =>
  new AppError(
    'conflict',
    'TOO_MANY',
    `Your policies together can have up to ${mostTimes} time ranges and dates. Nothing was saved. Remove some first.`,
  );
