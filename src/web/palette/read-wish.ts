import { zoneOfPlace } from './place-zones.ts';

/** What somebody typed about a time, taken apart: `lunch with Priya fri 1pm 45m`. */
export interface Wish {
  /** What is about no time. */
  title: string;
  day: Temporal.PlainDate | null;
  time: { hour: number; minute: number } | null;
  minutes: number | null;
  /** The zone of a place named right after the time: the time is meant there. */
  place: { name: string; zone: string } | null;
}

/** When and where it is read. */
export interface Reading {
  nowMs: number;
  zone: string;
  /** 3/12 is the twelfth of March. */
  monthFirst: boolean;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const monthNames =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const weekdayNames =
  '(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)';
const hours = '(?:hours?|hrs?|h)';
const minutes = '(?:minutes?|mins?|m)';

type Parts = (string | undefined)[];
/** False where the signs are there and mean something else. */
type Take = (wish: Draft, parts: Parts) => boolean;
interface Draft extends Omit<Wish, 'title'> {
  today: Temporal.PlainDate;
  now: Temporal.ZonedDateTime;
  monthFirst: boolean;
}

/** In this order: what is longer and surer first. Each is taken once, out of the text. */
const patterns: [RegExp, Take][] = [
  [pattern(`in (\\d{1,4})\\s*(${minutes}|${hours})`), takeFromNow],
  [pattern(`in (\\d{1,3}) (days?|weeks?|months?)`), takeDaysAhead],
  [pattern('(?:on )?(\\d{4})-(\\d{1,2})-(\\d{1,2})'), (wish, [, y, m, d]) => setDay(wish, y, m, d)],
  [
    pattern(`(?:on )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthNames}(?:,? (\\d{4}))?`),
    (wish, [, d, m, y]) => setDay(wish, y, monthOf(m), d),
  ],
  [
    pattern(`(?:on )?${monthNames} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?!\\s*(?:[:ap]|${hours}|${minutes})\\b)`),
    (wish, [, m, d, y]) => setDay(wish, y, monthOf(m), d),
  ],
  [pattern('(?:on )?(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})?'), (wish, [, d, m, y]) => setDay(wish, y, m, d)],
  [
    pattern('(?:on )?(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}))?'),
    (wish, [, one, two, y]) => (wish.monthFirst ? setDay(wish, y, one, two) : setDay(wish, y, two, one)),
  ],
  [pattern('(today|tonight|tomorrow|tmrw|tom)'), takeNamedDay],
  [pattern('next (week|month)'), takeNextPeriod],
  [pattern(`(?:(?:on|this) |(next) )?${weekdayNames}`), takeWeekday],
  [
    pattern(
      '(from |at |@ ?)?(\\d{1,2})(?::(\\d{2}))?\\s*(am|pm)?\\s*(?:-|–|to|until)\\s*(\\d{1,2})(?::(\\d{2}))?\\s*(am|pm)?',
    ),
    takeRange,
  ],
  [pattern(`(?:for )?(\\d{1,2}(?:[.,]\\d)?)\\s*${hours}\\s*(?:(\\d{1,2})\\s*(?:${minutes})?)?`), takeHours],
  [pattern(`(?:for )?(\\d{1,3})\\s*${minutes}`), (wish, [, n]) => setMinutes(wish, Number(n))],
  [pattern('(?:for )?(half an|an) hour'), (wish, [, half]) => setMinutes(wish, half === 'an' ? 60 : 30)],
  [pattern('(?:at |@ ?)?(\\d{1,2})(?::(\\d{2}))?\\s*(am|pm)'), (wish, [, h, m, half]) => setTime(wish, h, m, half)],
  [pattern('(?:at |@ ?)?(\\d{1,2}):(\\d{2})'), (wish, [, h, m]) => setTime(wish, h, m, undefined)],
  [pattern('(?:at |@ ?)(\\d{1,2})'), (wish, [, h]) => setTime(wish, h, undefined, likelyHalf(Number(h)))],
  [pattern('(?:at )?(noon|midday|midnight)'), (wish, [, name]) => setTime(wish, name === 'midnight' ? '0' : '12', '0')],
];

/** Words of their own: not in the middle of one, of a number or of an address. */
function pattern(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}.:@/-])${source}(?![\\p{L}\\p{N}@]|[.:/-]\\p{L}|[.:/-]\\p{N})`, 'iu');
}

/** What a wish may begin with and an event is not called: that it is to be made, or gone to. */
const verbs = /^(?:(?:create|schedule)(?: an?)?(?: event)?|(?:go|jump) to)(?=\s+\S)/iu;

/** Takes apart what was typed. Pure: the same text, moment and zone give the same wish. */
export function readWish(typed: string, reading: Reading): Wish {
  const now = Temporal.Instant.fromEpochMilliseconds(reading.nowMs).toZonedDateTimeISO(reading.zone);
  const wish: Draft = {
    day: null,
    time: null,
    minutes: null,
    place: null,
    now,
    today: now.toPlainDate(),
    monthFirst: reading.monthFirst,
  };
  let rest = typed.trim().replace(verbs, '');
  for (const [sign, take] of patterns) {
    const before = wish.time;
    const match = sign.exec(rest);
    if (match === null || !take(wish, [...match])) continue;
    let after = rest.slice(match.index + match[0].length);
    if (wish.time !== before) after = takePlace(wish, after);
    rest = `${rest.slice(0, match.index)} ${after}`;
  }
  const { day, time, minutes: length, place } = wish;
  return { title: tidy(rest), day, time, minutes: length, place };
}

/** When a wish begins and ends, where it is read; null where it says nothing of a time. */
export function momentOf(wish: Wish, reading: Reading): { start: Temporal.ZonedDateTime; minutes: number } | null {
  if (wish.day === null && wish.time === null) return null;
  const now = Temporal.Instant.fromEpochMilliseconds(reading.nowMs).toZonedDateTimeISO(
    wish.place?.zone ?? reading.zone,
  );
  const time = wish.time ?? { hour: 9, minute: 0 };
  const at = (day: Temporal.PlainDate) => day.toPlainDateTime(time).toZonedDateTime(now.timeZoneId);
  let start = at(wish.day ?? now.toPlainDate());
  // a time alone is the next time that clock shows it
  if (wish.day === null && start.epochMilliseconds <= reading.nowMs) start = at(now.toPlainDate().add({ days: 1 }));
  return { start: start.withTimeZone(reading.zone), minutes: wish.minutes ?? 60 };
}

function takeFromNow(wish: Draft, [, count, unit]: Parts): boolean {
  const at = wish.now.add(/^h/i.test(unit ?? '') ? { hours: Number(count) } : { minutes: Number(count) });
  wish.day = at.toPlainDate();
  wish.time = { hour: at.hour, minute: at.minute };
  return true;
}

function takeDaysAhead(wish: Draft, [, count, unit = '']: Parts): boolean {
  const key = unit[0]?.toLowerCase() === 'd' ? 'days' : unit[0]?.toLowerCase() === 'w' ? 'weeks' : 'months';
  wish.day = wish.today.add({ [key]: Number(count) });
  return true;
}

function takeNamedDay(wish: Draft, [, name = '']: Parts): boolean {
  const isToday = /^to(?:day|night)$/i.test(name);
  if (wish.day !== null) return false;
  wish.day = isToday ? wish.today : wish.today.add({ days: 1 });
  if (/^tonight$/i.test(name)) wish.time ??= { hour: 20, minute: 0 };
  return true;
}

function takeNextPeriod(wish: Draft, [, period]: Parts): boolean {
  if (wish.day !== null) return false;
  wish.day = wish.today.add(period?.toLowerCase() === 'week' ? { weeks: 1 } : { months: 1 });
  return true;
}

/** The coming one, today among them; "next" is never today. */
function takeWeekday(wish: Draft, [, next, name = '']: Parts): boolean {
  if (wish.day !== null) return false;
  const ahead = (weekdays.indexOf(name.slice(0, 3).toLowerCase()) + 1 - wish.today.dayOfWeek + 7) % 7;
  wish.day = wish.today.add({ days: ahead === 0 && next !== undefined ? 7 : ahead });
  return true;
}

function takeRange(wish: Draft, [, word, h1, m1, half1, h2, m2, half2]: Parts): boolean {
  const isTime = word !== undefined || (m1 ?? half1 ?? half2) !== undefined;
  if (!isTime || wish.time !== null) return false;
  const to = timeOf(h2, m2, half2);
  let from = timeOf(h1, m1, half1 ?? half2);
  // 11-1pm begins in the morning
  if (from && to && half1 === undefined && minuteOfDay(from) >= minuteOfDay(to)) from = timeOf(h1, m1, undefined);
  if (from === null || to === null) return false;
  wish.time = from;
  wish.minutes = (minuteOfDay(to) - minuteOfDay(from) + 1440) % 1440 || 1440;
  return true;
}

function takeHours(wish: Draft, [, count = '', more]: Parts): boolean {
  return setMinutes(wish, Math.round(Number(count.replace(',', '.')) * 60) + Number(more ?? 0));
}

/** `9am Tokyo`: one to three words that are a place. */
function takePlace(wish: Draft, after: string): string {
  const words = /^\s+((?:[\p{L}.'-]+\s?){1,3})/u.exec(after)?.[1]?.trim().split(/\s+/u) ?? [];
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const zone = zoneOfPlace(name);
    if (zone === undefined) continue;
    wish.place = { name, zone };
    return after.slice(after.indexOf(name) + name.length).replace(/^\s+time\b/i, '');
  }
  return after;
}

function setDay(wish: Draft, y: string | undefined, m: string | number | undefined, d: string | undefined): boolean {
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
    if (error instanceof RangeError) return false; // there is no such day
    throw error;
  }
}

function setTime(wish: Draft, h: string | undefined, m: string | undefined, half?: string): boolean {
  const time = timeOf(h, m, half);
  if (time === null || wish.time !== null) return false;
  wish.time = time;
  return true;
}

function setMinutes(wish: Draft, length: number): boolean {
  if (wish.minutes !== null || length < 1 || length > 7 * 1440) return false;
  wish.minutes = length;
  return true;
}

function timeOf(h: string | undefined, m: string | undefined, half: string | undefined): Wish['time'] {
  const [hour, minute] = [Number(h), Number(m ?? 0)];
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) return null;
  if (half === undefined) return { hour, minute };
  return { hour: (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0), minute };
}

const minuteOfDay = ({ hour, minute }: { hour: number; minute: number }) => hour * 60 + minute;
/** "at 3" is in the afternoon, "at 9" in the morning. */
const likelyHalf = (hour: number) => (hour >= 1 && hour <= 6 ? 'pm' : undefined);
const monthOf = (name = '') => months.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function tidy(rest: string): string {
  const words = rest.replace(/\s+/gu, ' ').trim();
  return words.replace(/(?:^| )(?:on|at|from|in|for|@|,|-|–)$/i, '').replace(/^[\s,;–-]+|[\s,;–-]+$/gu, '');
}
