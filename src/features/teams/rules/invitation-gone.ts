import { AppError } from '#kernel/errors.ts';

export const invitationGone = () =>
  new AppError(
    'not-found',
    'NOT_FOUND',
    'There is no such invitation to your address: it was answered or withdrawn, or its time is over.',
  );
