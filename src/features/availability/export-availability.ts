import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { findHolidays, listDaysOff, listTravels } from './store/absences.ts';
import { listDefaults } from './store/defaults.ts';
import { listSetRules } from './store/hold-rules.ts';
import { listEveryVersion } from './store/policies.ts';

const ever = '0001-01-01';

/** Every version of every policy, deleted ones too, and what holds beside them. */
export function exportAvailability({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('availability.json', async () => ({
      policies: await listEveryVersion(db, userId),
      defaults: await listDefaults(db, userId),
      daysOff: await listDaysOff(db, userId, ever),
      travels: await listTravels(db, userId, ever),
      holidays: await findHolidays(db, userId),
      holdRules: await listSetRules(db, userId),
    })),
  ];
}
