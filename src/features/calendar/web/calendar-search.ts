import { parseLocalDate, parseLocalDateTime } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';

export const calendarViews = ['day', 'week', 'month', 'agenda'] as const;
export type CalendarView = (typeof calendarViews)[number];

/** How blocks of ours are drawn: at the end of the day, as cards of their own, or not at all. */
export const mirrorViews = ['edge', 'full', 'off'] as const;
export type MirrorView = (typeof mirrorViews)[number];

/** Which events are shown by whom they are with: see `rules/audience`. */
export const eventFilters = ['all', 'clients', 'personal'] as const;
export type EventFilter = (typeof eventFilters)[number];

/** The calendar's query parameters. Absent ones follow the person's preferences and today. */
export interface CalendarSearch {
  /** Absent: week. */
  view?: CalendarView;
  /** Any day of what is shown. */
  day?: string;
  zone?: string;
  /** Zones whose hours stand beside those of `zone`. */
  zone2?: string;
  zone3?: string;
  /** Absent: edge. */
  mirrors?: 'full' | 'off';
  q?: string;
  filter?: 'clients' | 'personal';
  /** The event whose card is open. */
  event?: string;
  /** The event that is being edited. */
  edit?: string;
  /** Create Event is open: from a local time (`2027-03-08T09:00`), or `1` for the next free hour. */
  new?: string;
  /** Typed elsewhere for the event that is created: what it is called, and its length. */
  title?: string;
  minutes?: number;
  /** Shared with us by another app: a link, and the words around it. */
  link?: string;
  notes?: string;
  /** Times are being picked for somebody to choose from. */
  share?: '1';
}

/** Reads the address; what does not fit is dropped, and with it from the address. */
export function readCalendarSearch(raw: Record<string, unknown>): CalendarSearch & Record<string, unknown> {
  const { view, day, zone, zone2, zone3, mirrors, q, filter, event, edit, title } = raw;
  const minutes = Number(raw.minutes);
  // The router reads `new=1` as a number.
  const shared = { ...textOf(raw, 'link'), ...textOf(raw, 'notes') };
  const start =
    (typeof raw.new === 'number' ? `${raw.new}` : raw.new) ?? ('link' in shared || 'notes' in shared ? '1' : undefined);
  return {
    ...(isView(view) ? { view } : {}),
    ...(typeof day === 'string' && isShownDay(day) ? { day } : {}),
    ...(isZone(zone) ? { zone } : {}),
    ...(isZone(zone2) ? { zone2 } : {}),
    ...(isZone(zone3) ? { zone3 } : {}),
    ...(mirrors === 'off' || mirrors === 'full' ? { mirrors } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(filter === 'clients' || filter === 'personal' ? { filter } : {}),
    ...(isEventId(event) ? { event } : {}),
    ...(isEventId(edit) ? { edit } : {}),
    ...(Number(raw.share) === 1 ? { share: '1' as const } : {}),
    ...(start === '1' || isLocalStart(start)
      ? {
          new: start,
          ...(typeof title === 'string' || typeof title === 'number' ? { title: `${title}`.slice(0, 200) } : {}),
          ...(Number.isInteger(minutes) && minutes > 0 && minutes <= 10_080 ? { minutes } : {}),
          ...shared,
        }
      : {}),
  };
}

const textOf = (raw: Record<string, unknown>, key: 'link' | 'notes') =>
  typeof raw[key] === 'string' && raw[key] !== '' ? { [key]: raw[key].slice(0, 2_000) } : {};

function isView(text: unknown): text is CalendarView {
  return calendarViews.some((view) => view === text);
}

function isZone(name: unknown): name is string {
  return typeof name === 'string' && loadZone(name) !== null;
}

function isEventId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w:-]{1,100}$/.test(id);
}

function isLocalStart(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) &&
    parseLocalDateTime(`${text}:00`) !== null
  );
}

/** The calls accept 1970 to 2100; a month that leaves them cannot be asked for. */
function isShownDay(day: string): boolean {
  return parseLocalDate(day) !== null && day >= '1970-02-01' && day < '2100-11-20';
}
