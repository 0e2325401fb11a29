import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { isFlagOn } from './is-flag-on.ts';
import type { FlagName } from './rules/flags.ts';

/** *Errors*: AppError forbidden (SWITCHED_OFF); declare it in the endpoint's contract. */
export async function demandFlag(db: Database, name: FlagName, userId: UserId): Promise<void> {
  if (await isFlagOn(db, name, userId)) return;
  throw new AppError(
    'forbidden',
    'SWITCHED_OFF',
    'Whoever runs this install has switched this off for you. Nothing was changed; ask them if you need it.',
  );
}
