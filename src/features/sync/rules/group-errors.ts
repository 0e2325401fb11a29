import { AppError } from '#kernel/errors.ts';

/** A calendar is in one group at most, so that no pair is ruled twice. */
export const otherGroup = (name: string, cause?: unknown) =>
  new AppError(
    'conflict',
    'CALENDAR_IN_OTHER_GROUP',
    `One of these calendars is already in ${name}. A calendar can be in only one mirror group.`,
    { cause },
  );
