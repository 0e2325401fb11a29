import { randomUUIDv7 } from 'node:crypto';
import { AppError, part } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { Days } from './rules/open-spans.ts';
import { tooMany } from './rules/policy-errors.ts';
import { countRows, insertDaysOff } from './store/absences.ts';
import { tellChange } from './tell-change.ts';

export const mostAbsences = 200;

/** Out of office on whole days. *Errors*: invalid BAD_DAYS; conflict TOO_MANY. */
export function addDaysOff(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  body: { first_day: string; last_day: string; reason: string },
): Promise<void> {
  const days = readDays(body);
  return inTransaction(app.db, async (tx) => {
    if ((await countRows(tx, 'days_off', userId)) >= mostAbsences)
      throw tooMany(part('times out of office'), mostAbsences);
    await insertDaysOff(tx, userId, { id: randomUUIDv7(), ...days, reason: body.reason.trim() });
    await tellChange(app, tx, userId);
  });
}

/** *Errors*: invalid BAD_DAYS where the last day is before the first. */
export function readDays(body: { first_day: string; last_day: string }): Days {
  if (body.last_day >= body.first_day) return { firstDay: body.first_day, lastDay: body.last_day };
  const message = 'The last day is before the first. Nothing was saved.';
  throw new AppError('invalid', 'BAD_DAYS', message, { fields: { last_day: message } });
}
