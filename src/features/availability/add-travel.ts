import { randomUUIDv7 } from 'node:crypto';
import { AppError, part } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { mostAbsences, readDays } from './add-days-off.ts';
import { tooMany } from './rules/policy-errors.ts';
import { countRows, insertTravel } from './store/absences.ts';
import { tellChange } from './tell-change.ts';

/** The same hours in another zone for some days. *Errors*: invalid BAD_DAYS; conflict OVERLAP, TOO_MANY. */
export function addTravel(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  body: { first_day: string; last_day: string; zone: string },
): Promise<void> {
  const days = readDays(body);
  return inTransaction(app.db, async (tx) => {
    if ((await countRows(tx, 'travels', userId)) >= mostAbsences) throw tooMany(part('journeys'), mostAbsences);
    if (!(await insertTravel(tx, userId, { id: randomUUIDv7(), ...days, zone: body.zone }))) throw overlap();
    await tellChange(app, tx, userId);
  });
}

function overlap(): AppError {
  const message = 'You are travelling on one of these days already. Nothing was saved.';
  return new AppError('conflict', 'OVERLAP', message, { fields: { first_day: message } });
}
