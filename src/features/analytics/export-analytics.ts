import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { readDigest } from './read-digest.ts';
import { dateOf } from './rules/period.ts';
import { findDaySums, findKeptZone } from './store/fact-rows.ts';

const everyDay = { firstDay: -25_567, endDay: 60_000 };

/** The daily sums of a person's bookings. The feature `booking` exports the bookings and their guests. */
export function exportAnalytics({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('daily-figures.json', async () => {
      const zone = await findKeptZone(db, userId);
      const sums = zone === null ? null : await findDaySums(db, userId, zone, everyDay);
      const days = [...(sums ?? [])].toSorted(([one], [other]) => one - other);
      return {
        weeklyDigest: (await readDigest({ db }, { userId })).weekly,
        zone,
        days: days.map(([day, counts]) => ({ day: dateOf(day), ...counts })),
      };
    }),
  ];
}
