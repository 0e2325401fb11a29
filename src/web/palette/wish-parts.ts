/** A typed text about a time, parsed: `lunch with Priya fri 1pm 45m`. */
export interface Wish {
  /** The words that do not belong to a time. */
  title: string;
  day: Temporal.PlainDate | null;
  time: { hour: number; minute: number } | null;
  minutes: number | null;
  /** The zone of a place named right after the time: the time is meant there. */
  place: { name: string; zone: string } | null;
}

/** A wish while it is read. */
export interface Draft extends Omit<Wish, 'title'> {
  today: Temporal.PlainDate;
  now: Temporal.ZonedDateTime;
  monthFirst: boolean;
}

export type Parts = (string | undefined)[];
/** False where the signs are there and mean something else. */
export type Take = (wish: Draft, parts: Parts) => boolean;
/** In their order: what is longer and surer first. Each is taken once, out of the text. */
export type Patterns = readonly (readonly [RegExp, Take])[];

export type Half = 'am' | 'pm' | undefined;

export function setDay(
  wish: Draft,
  y: string | undefined,
  m: string | number | undefined,
  d: string | undefined,
): boolean {
  if (wish.day !== null) return false;
  const [month, day] = [Number(m), Number(d)];
  try {
    const given = { month, day };
    const from = (year: number) => Temporal.PlainDate.from({ year, ...given }, { overflow: 'reject' });
    if (y !== undefined) {
      wish.day = from(Number(y));
      return true;
    }
    // the 29th of February may be years away
    for (let year = wish.today.year; year < wish.today.year + 9; year += 1) {
      if (day === 29 && month === 2 && !Temporal.PlainDate.from({ year, month: 1, day: 1 }).inLeapYear) continue;
      if (Temporal.PlainDate.compare(from(year), wish.today) < 0) continue;
      wish.day = from(year);
      return true;
    }
    return false;
  } catch (error) {
    if (error instanceof RangeError) return false; // no such day
    throw error;
  }
}

/** So many days, weeks or months from today. */
export function setAhead(wish: Draft, ahead: { days?: number; weeks?: number; months?: number }): boolean {
  if (wish.day !== null) return false;
  wish.day = wish.today.add(ahead);
  return true;
}

/** So many minutes from now. */
export function setFromNow(wish: Draft, minutes: number): boolean {
  const at = wish.now.add({ minutes });
  wish.day = at.toPlainDate();
  wish.time = { hour: at.hour, minute: at.minute };
  return true;
}

/** `weekday`: 0 is Monday. The coming one, today among them; "next" is never today. */
export function setWeekday(wish: Draft, weekday: number, isNext: boolean): boolean {
  // beside a date it says what that date says already
  if (wish.day !== null) return wish.day.dayOfWeek === weekday + 1;
  const ahead = (weekday + 1 - wish.today.dayOfWeek + 7) % 7;
  return setAhead(wish, { days: ahead === 0 && isNext ? 7 : ahead });
}

export function setTime(wish: Draft, h: string | undefined, m: string | undefined, half: Half): boolean {
  const time = timeOf(h, m, half);
  if (time === null || wish.time !== null) return false;
  wish.time = time;
  return true;
}

/** From one time of the day to the next time that clocks show the other. */
export function setRange(
  wish: Draft,
  [h1, m1, half1]: readonly [string | undefined, string | undefined, Half],
  [h2, m2, half2]: readonly [string | undefined, string | undefined, Half],
): boolean {
  if (wish.time !== null) return false;
  const to = timeOf(h2, m2, half2);
  let from = timeOf(h1, m1, half1 ?? half2);
  // 11-1pm begins in the morning
  if (from && to && half1 === undefined && minuteOfDay(from) >= minuteOfDay(to)) from = timeOf(h1, m1, undefined);
  if (from === null || to === null) return false;
  wish.time = from;
  wish.minutes = (minuteOfDay(to) - minuteOfDay(from) + 1440) % 1440 || 1440;
  return true;
}

export function setMinutes(wish: Draft, length: number): boolean {
  if (wish.minutes !== null || length < 1 || length > 7 * 1440) return false;
  wish.minutes = length;
  return true;
}

/** "at 3" is in the afternoon, "at 9" in the morning. */
export const likelyHalf = (hour: number): Half => (hour >= 1 && hour <= 6 ? 'pm' : undefined);

function timeOf(h: string | undefined, m: string | undefined, half: Half): Wish['time'] {
  const [hour, minute] = [Number(h), Number(m ?? 0)];
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) return null;
  if (half === undefined) return { hour, minute };
  return { hour: (hour % 12) + (half === 'pm' ? 12 : 0), minute };
}

const minuteOfDay = ({ hour, minute }: { hour: number; minute: number }) => hour * 60 + minute;
