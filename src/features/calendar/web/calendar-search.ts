import { parseLocalDate } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';

/** How blocks that we wrote are drawn: slim beside what they stand for, as boxes of their own, or not at all. */
export const mirrorViews = ['slim', 'full', 'hide'] as const;
export type MirrorView = (typeof mirrorViews)[number];

/** What the address of the calendar says; whatever is absent follows the person's preferences and today. */
export interface CalendarSearch {
  view?: 'day' | 'week';
  /** Any day of what is shown. */
  day?: string;
  zone?: string;
  /** Absent: slim. */
  mirrors?: 'full' | 'hide';
  q?: string;
}

/** Reads the address; what does not fit is dropped, and with it from the address. */
export function readCalendarSearch(raw: Record<string, unknown>): CalendarSearch & Record<string, unknown> {
  const { view, day, zone, mirrors, q } = raw;
  return {
    ...(view === 'day' || view === 'week' ? { view } : {}),
    ...(typeof day === 'string' && isShownDay(day) ? { day } : {}),
    ...(typeof zone === 'string' && loadZone(zone) !== null ? { zone } : {}),
    ...(mirrors === 'hide' || mirrors === 'full' ? { mirrors } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
  };
}

/** The calls accept 1970 to 2100; a week that leaves them cannot be asked for. */
function isShownDay(day: string): boolean {
  return parseLocalDate(day) !== null && day >= '1970-01-08' && day < '2100-12-20';
}
