import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listCountries } from './list-holidays.ts';
import { replaceHolidays } from './store/absences.ts';
import { tellChange } from './tell-change.ts';

/** Public holidays of a country are days off, but those that are worked. *Errors*: invalid NO_COUNTRY. */
export async function setHolidays(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  { country, region, worked }: { country: string | null; region: string | null; worked: string[] },
): Promise<void> {
  const choice = country === null ? null : { country, region, worked: [...new Set(worked)] };
  if (choice !== null) await demandKnown(choice.country, region);
  await inTransaction(app.db, async (tx) => {
    await replaceHolidays(tx, userId, choice);
    await tellChange(app, tx, userId);
  });
}

async function demandKnown(country: string, region: string | null): Promise<void> {
  const known = (await listCountries()).find(({ code }) => code === country);
  const hasRegion = region === null || known?.regions.some(({ code }) => code === region) === true;
  if (known !== undefined && hasRegion) return;
  throw new AppError('invalid', 'NO_COUNTRY', 'The holidays of this country or region are not known here.');
}
