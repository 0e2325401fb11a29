import { dayNumber } from '#kernel/time/civil.ts';
import { numberOfDay, writeDay } from '../rules/month-days.ts';
import type { Reading, ZoneOffsets } from '../rules/visit-data.ts';

/**
 * Times as a visitor reads them, from epoch minutes. A *local minute* is what the epoch minute would be if the wall clock
 * showed UTC. No Temporal: not every phone has it, and its stand-in weighs as much as all of this page.
 */
export interface Moments {
  /** `2027-03-08` of an instant. */
  dayOf(minute: number): string;
  /** `9:30 AM` or `09:30`. */
  time(minute: number): string;
  /** `Monday, Mar 8`. */
  day(day: string): string;
  /** `Mon, March 8, 9:30 AM`: what is said of one start. With its year, unless it is the present one. */
  moment(minute: number): string;
  /** ` (GMT+1)`, after a time that is read alone. */
  offsetAt(minute: number): string;
  /** `Mon, March 8, 9:30 AM – 10:00 AM`: a start and its end, from a length in minutes. With offsets over a clock change. */
  span(minute: number, minutes: number): string;
  /** `March 2027`. */
  month(month: string): string;
  weekdays: readonly { short: string; long: string }[];
  /** 0 = Monday. */
  firstWeekday: number;
  shortWeekday(day: string): string;
  shortMonth(day: string): string;
  /** `Tokyo (GMT+9)`. */
  zoneName(zone: string, minute: number): { city: string; offset: string };
  /** Names the offset of each of these times, where a clock change lies between them: `GMT+2`, else nothing. */
  offsetsOf(minutes: readonly number[]): (minute: number) => string;
}

const dayMinutes = 1440;

export function readMoments({ zone, locale, hour12, firstWeekday, year, offsets: told }: Reading): Moments {
  const offsets = zoneOffsets(zone, told);
  const local = (minute: number) => minute + offsets(minute);
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (localMinute: number) => plain(made.format(localMinute * 60_000));
  };
  const time = format({ hour: 'numeric', minute: '2-digit', ...(hour12 ? { hour12 } : { hourCycle: 'h23' }) });
  const day = format({ weekday: 'long', month: 'short', day: 'numeric' });
  const month = format({ month: 'long', year: 'numeric' });
  const short = format({ weekday: 'short' });
  const long = format({ weekday: 'long' });
  const shortMonth = format({ month: 'short' });
  const date = { weekday: 'short', day: 'numeric', month: 'long' } as const;
  const [dated, ofYear] = [format(date), format({ ...date, year: 'numeric' })];
  // as Intl joins a date and a time there
  const comma = locale.startsWith('ja') ? ' ' : ', ';
  const dayOf = (minute: number) => writeDay(Math.floor(local(minute) / dayMinutes));
  const moment = (minute: number) => {
    const isOther = year !== undefined && !dayOf(minute).startsWith(year);
    return `${(isOther ? ofYear : dated)(local(minute))}${comma}${time(local(minute))}`;
  };
  const offsetAt = (minute: number) => ` (${writeOffset(offsets(minute))})`;
  const minuteOfDay = (text: string) => numberOfDay(text) * dayMinutes;
  return {
    dayOf,
    time: (minute) => time(local(minute)),
    day: (text) => day(minuteOfDay(text)),
    moment,
    offsetAt,
    span: (minute, minutes) => {
      const end = minute + minutes;
      const at = offsets(minute) === offsets(end) ? () => '' : offsetAt;
      return `${moment(minute)}${at(minute)} – ${dayOf(minute) === dayOf(end) ? time(local(end)) : moment(end)}${at(end)}`;
    },
    month: (text) => month(minuteOfDay(`${text}-01`)),
    // day 4 is a Monday
    weekdays: [4, 5, 6, 7, 8, 9, 10].map((n) => ({ short: short(n * dayMinutes), long: long(n * dayMinutes) })),
    firstWeekday,
    shortWeekday: (text) => short(minuteOfDay(text)),
    shortMonth: (text) => shortMonth(minuteOfDay(text)),
    zoneName: (other, minute) => ({
      city: cityOf(other),
      offset: writeOffset(other === zone ? offsets(minute) : zoneOffsets(other)(minute)),
    }),
    offsetsOf(minutes) {
      const isChanging = new Set(minutes.map(offsets)).size > 1;
      return (minute) => (isChanging ? writeOffset(offsets(minute)) : '');
    },
  };
}

/** `New York` of `America/New_York`. */
export const cityOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Servers and browsers differ in which blank they put into `9:30 AM`. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

/**
 * The offset of a zone in minutes: as the server told, else as this browser knows. Asked once for each day, and again for each quarter of an hour on days that change it.
 */
function zoneOffsets(zone: string, told?: ZoneOffsets): (minute: number) => number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const known = new Map<number, number>();
  const ask = (minute: number): number => {
    const found = known.get(minute);
    if (found !== undefined) return found;
    const [month = 0, day = 0, year = 0, hour = 0, rest = 0] = (parts.format(minute * 60_000).match(/\d+/g) ?? []).map(
      Number,
    );
    const offset = dayNumber(year, month, day) * dayMinutes + hour * 60 + rest - minute;
    known.set(minute, offset);
    return offset;
  };
  return (minute) => {
    if (told?.zone === zone && told.from <= minute && minute <= told.to)
      return told.changes.findLast(({ from }) => from <= minute)?.ahead ?? ask(minute);
    const midnight = Math.floor(minute / dayMinutes) * dayMinutes;
    const offset = ask(midnight);
    return offset === ask(midnight + dayMinutes) ? offset : ask(Math.floor(minute / 15) * 15);
  };
}

const two = (n: number) => String(n).padStart(2, '0');

function writeOffset(minutes: number): string {
  if (minutes === 0) return 'GMT';
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `GMT${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest}`;
}

/** Epoch minutes of an instant such as `2027-03-08T09:00:30Z`. */
export function minuteOfInstant(instant: string): number {
  const [hour = 0, minute = 0, second = 0] = instant.slice(11, -1).split(':').map(Number);
  return numberOfDay(instant.slice(0, 10)) * dayMinutes + hour * 60 + minute + second / 60;
}
