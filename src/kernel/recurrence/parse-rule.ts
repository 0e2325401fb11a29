import { readDateValue } from '#kernel/ical/date-value.ts';
import {
  type Frequency,
  frequencies,
  type ParsedRule,
  type Rule,
  type Skip,
  type Until,
  type WeekdayNth,
  weekdays,
} from '#kernel/recurrence/rule.ts';
import { trimEndOf, trimOf } from '#kernel/text/trim-text.ts';
import { parseBasic } from '#kernel/time/local.ts';

/** Carries the reason out of the part readers; never leaves this file. */
class BadRule extends Error {}

/** The longest sensible rule lists every day of the year, from both ends: under 4,000 characters. */
const maxRuleChars = 10_000;
const maxNumber = 2_147_483_647;

/**
 * Reads a RECUR value, with or without `RRULE:` (or `EXRULE:`) before it. Case, white space, and quotes do not matter;
 * `X-` parts are passed over. Everything else must be as the grammar has it, or a rule of vCalendar 1.0.
 *
 * Tolerated because it is met in real calendars and has one sensible reading (see `day-tables.ts`): BYWEEKNO,
 * BYYEARDAY and BYMONTHDAY under frequencies where RFC 5545 forbids them limit the days; a number before a weekday
 * is passed over under WEEKLY and below, beside BYWEEKNO, and where it is 0; BYSETPOS may stand alone; COUNT beside
 * UNTIL ends at the earlier of both, and a COUNT below 1 beside UNTIL is passed over; so are a part without a value and a
 * WKST that changes nothing; of a part that is given twice the first counts; UNTIL may have hyphens, colons, and an offset.
 *
 * *Errors*: none thrown; `reason` is a sentence for diagnostics.
 * *Source*: RFC 5545 section 3.3.10, RFC 7529 section 4.
 */
export function parseRule(text: string): ParsedRule {
  try {
    return { ok: true, rule: readRule(text) };
  } catch (error) {
    if (error instanceof BadRule) return { ok: false, reason: error.message };
    throw error;
  }
}

function readRule(text: string): Rule {
  if (text.length > maxRuleChars) throw new BadRule(`The rule is longer than ${maxRuleChars} characters.`);
  // some exporters escape the value as if it were a text
  const value = text.replace(/\\n?/gi, '').trim().replace(ruleNames, '');
  const upper = (ruleOfVcalendar(value) ?? value).replace(/[\s"]+/g, '').toUpperCase();
  const bare = trimEndOf(upper, ';');
  if (bare === '') throw new BadRule('The rule is empty.');
  const parts = new Map<string, string>();
  for (const written of bare.split(';')) {
    // SOGo sorts the parts of a rule with its name twice: `COUNT=2;RRULE:FREQ=DAILY`
    const part = written.replace(ruleNames, '');
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    if (part === '' || name.startsWith('X-')) continue;
    if (!partNames.has(name)) throw new BadRule(`There is no rule part "${shown(part)}".`);
    const listed = trimOf(value, ',');
    if (listed !== '' && !parts.has(name)) parts.set(name, listed);
  }
  // some write it for a rule that ends by its UNTIL
  if (parts.has('UNTIL') && /^(?:-\d{1,9}|0+)$/.test(parts.get('COUNT') ?? '')) parts.delete('COUNT');
  const rule: Rule = {
    freq: readFrequency(parts.get('FREQ')),
    interval: readCounter(parts, 'INTERVAL') ?? 1,
    count: readCounter(parts, 'COUNT'),
    until: readUntil(parts.get('UNTIL')),
    weekStart: readWeekStart(parts),
    bySecond: readNumbers(parts, 'BYSECOND', 0, 60, false),
    byMinute: readNumbers(parts, 'BYMINUTE', 0, 59, false),
    byHour: readNumbers(parts, 'BYHOUR', 0, 23, false),
    byDay: readWeekdays(parts.get('BYDAY')),
    byMonthDay: readNumbers(parts, 'BYMONTHDAY', 1, 31, true),
    byYearDay: readNumbers(parts, 'BYYEARDAY', 1, 366, true),
    byWeekNo: readNumbers(parts, 'BYWEEKNO', 1, 53, true),
    byMonth: readNumbers(parts, 'BYMONTH', 1, 12, false),
    bySetPos: readNumbers(parts, 'BYSETPOS', 1, 366, true),
    skip: readSkip(parts.get('RSCALE'), parts.get('SKIP')),
  };
  return rule.byWeekNo.length > 0 ? { ...rule, byDay: withoutNumbers(rule.byDay) } : rule;
}

/** Whether a part of a rule that was read counts for nothing, and may have meant something. */
export function isRepaired(text: string): boolean {
  const parts = text
    .toUpperCase()
    .split(';')
    .map((part) => part.replace(/[\s"]+/g, '').replace(ruleNames, ''))
    .filter((part) => /=./.test(part) && !part.startsWith('X-'));
  const given = (name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const names = new Set(parts.map((part) => part.slice(0, part.indexOf('='))));
  const isLost = (nth: string | undefined) => nth !== undefined && Number(nth) !== 0;
  const isNumbered = given('BYDAY')
    .split(',')
    .some((day) => isLost(weekdayPattern.exec(day)?.[1]));
  const hasPlaces = ['MONTHLY', 'YEARLY'].includes(given('FREQ')) && !names.has('BYWEEKNO');
  const week = given('WKST');
  return (
    names.size < new Set(parts).size ||
    (names.has('UNTIL') && Number(given('COUNT')) > 0) ||
    (isNumbered && !hasPlaces) ||
    (week !== '' && !weekdays.some((day) => day === week))
  );
}

const ruleNames = /^(?:(?:RRULE|EXRULE):)+/i;

const partNames = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'WKST',
  'BYSECOND',
  'BYMINUTE',
  'BYHOUR',
  'BYDAY',
  'BYMONTHDAY',
  'BYYEARDAY',
  'BYWEEKNO',
  'BYMONTH',
  'BYSETPOS',
  'RSCALE',
  'SKIP',
]);

function readFrequency(value: string | undefined): Frequency {
  if (value === undefined) throw new BadRule('FREQ is missing.');
  const found = frequencies.find((name) => name === value);
  if (found === undefined) throw new BadRule(`FREQ=${shown(value)} is no frequency.`);
  return found;
}

function readCounter(parts: Map<string, string>, name: 'INTERVAL' | 'COUNT'): number | null {
  const value = parts.get(name);
  if (value === undefined) return null;
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 1 && number <= maxNumber)) {
    throw new BadRule(`${name}=${shown(value)} is no number from 1 to ${maxNumber}.`);
  }
  return number;
}

function readUntil(value: string | undefined): Until | null {
  if (value === undefined) return null;
  const time = parseBasic(value.replaceAll(/[-:]/g, '')) ?? readLoosely(value);
  if (time === null) throw new BadRule(`UNTIL=${shown(value)} is no date or time.`);
  return time;
}

function readLoosely(value: string): Until | null {
  const read = readDateValue(value, null, false);
  if (read === null) return null;
  return { form: read.form === 'date' || read.form === 'utc' ? read.form : 'local', ms: read.ms };
}

function readWeekStart(parts: Map<string, string>): number {
  const value = parts.get('WKST') ?? 'MO';
  const isUsed = parts.has('BYWEEKNO') || (parts.get('INTERVAL') ?? '1') !== '1';
  return isUsed || weekdays.some((day) => day === value) ? weekdayNamed(value, 'WKST') : 0;
}

function weekdayNamed(name: string, part: string): number {
  const weekday = (weekdays as readonly string[]).indexOf(name);
  if (weekday < 0) throw new BadRule(`${part} names no weekday: "${shown(name)}".`);
  return weekday;
}

function readNumbers(parts: Map<string, string>, name: string, from: number, to: number, signed: boolean): number[] {
  const value = parts.get(name);
  if (value === undefined) return [];
  const pattern = signed ? /^[+-]?\d{1,3}$/ : /^\d{1,3}$/;
  const numbers = value.split(',').map((item) => {
    const number = pattern.test(item) ? Number(item) : Number.NaN;
    const size = Math.abs(number);
    if (!(size >= from && size <= to)) {
      const range = signed ? `±${from} to ±${to}` : `${from} to ${to}`;
      throw new BadRule(`${name} takes ${range}, not "${shown(item)}".`);
    }
    return number;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

const weekdayPattern = /^([+-]?\d{1,2})?([A-Z]{2})$/;

function readWeekdays(value: string | undefined): WeekdayNth[] {
  if (value === undefined) return [];
  const days = new Map<string, WeekdayNth>();
  for (const item of value.split(',')) {
    const match = weekdayPattern.exec(item);
    if (match === null) throw new BadRule(`BYDAY takes weekdays such as MO or -1FR, not "${shown(item)}".`);
    const nth = match[1] === undefined ? 0 : Number(match[1]);
    if (Math.abs(nth) > 53) {
      throw new BadRule(`BYDAY takes ±1 to ±53 before a weekday, not "${shown(item)}".`);
    }
    const weekday = weekdayNamed(match[2] as string, 'BYDAY');
    days.set(`${nth} ${weekday}`, { weekday, nth });
  }
  return [...days.values()].sort((a, b) => a.nth - b.nth || a.weekday - b.weekday);
}

/** The weekdays alone, in order: a week has each of them once. */
function withoutNumbers(days: WeekdayNth[]): WeekdayNth[] {
  const plain = new Set(days.map(({ weekday }) => weekday));
  return [...plain].sort((a, b) => a - b).map((weekday) => ({ weekday, nth: 0 }));
}

function readSkip(scale: string | undefined, value: string | undefined): Skip | null {
  if (scale === undefined) {
    if (value !== undefined) throw new BadRule('SKIP needs RSCALE.');
    return null;
  }
  if (scale !== 'GREGORIAN') throw new BadRule(`RSCALE=${shown(scale)}: only the Gregorian calendar is supported.`);
  if (value === undefined || value === 'OMIT') return 'OMIT';
  if (value === 'BACKWARD' || value === 'FORWARD') return value;
  throw new BadRule(`SKIP=${shown(value)} is not OMIT, BACKWARD or FORWARD.`);
}

/** Hostile text is quoted, but never at length. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const vcalendarFrequencies: Readonly<Record<string, string>> = {
  D: 'FREQ=DAILY',
  W: 'FREQ=WEEKLY',
  MP: 'FREQ=MONTHLY',
  MD: 'FREQ=MONTHLY',
  YM: 'FREQ=YEARLY',
  YD: 'FREQ=YEARLY',
};

const vcalendarPattern =
  /^(D|W|MP|MD|YM|YD)(\d{1,4})((?: [A-Z0-9+-]{1,4}){0,100})(?: (?:#(\d{1,6})|(\d{8}(?:T\d{6}Z?)?)))?$/;

/** A rule without an end happens twice. */
const usualCount = '2';

/**
 * A rule of vCalendar 1.0, which phones and KOrganizer write, as RRULE: `MP3 2- FR #17` is `FREQ=MONTHLY;INTERVAL=3;BYDAY=-2FR;COUNT=17`. Null where it is
 * none; no RRULE has this form.
 * *Source*: vCalendar 1.0 (versit, 1996), "Recurrence Rule".
 */
function ruleOfVcalendar(text: string): string | null {
  const match = vcalendarPattern.exec(text.trim().toUpperCase().replace(/\s+/g, ' '));
  if (match === null) return null;
  const [, kind = '', interval = '', listed = '', given, until] = match;
  const part = partOf(kind, listed.split(' ').slice(1));
  if (part === null) return null;
  const count = given ?? (until === undefined ? usualCount : '0');
  const end = until === undefined ? (Number(count) === 0 ? [] : [`COUNT=${count}`]) : [`UNTIL=${until}`];
  return [`${vcalendarFrequencies[kind]}`, `INTERVAL=${interval}`, ...part, ...end].join(';');
}

/** The days or months of a rule; null where they are none. */
function partOf(kind: string, words: string[]): string[] | null {
  if (words.length === 0) return [];
  switch (kind) {
    case 'W':
      return listOf('BYDAY', words, /^(?:MO|TU|WE|TH|FR|SA|SU)$/, (word) => word);
    case 'MP':
      return weekdaysOf(words);
    case 'MD':
      return listOf('BYMONTHDAY', words, /^(?:LD|\d{1,2}[+-]?)$/, (word) => (word === 'LD' ? '-1' : signed(word)));
    case 'YM':
      return listOf('BYMONTH', words, /^\d{1,2}$/, (word) => word);
    case 'YD':
      return listOf('BYYEARDAY', words, /^\d{1,3}$/, (word) => word);
    default:
      return null;
  }
}

function listOf(name: string, words: string[], pattern: RegExp, of: (word: string) => string): string[] | null {
  return words.every((word) => pattern.test(word)) ? [`${name}=${words.map(of).join(',')}`] : null;
}

/** `1+ SU 1- SU`: each place goes for the weekdays behind it. */
function weekdaysOf(words: string[]): string[] | null {
  const days: string[] = [];
  let place = '';
  for (const word of words) {
    if (/^[1-5][+-]$/.test(word)) place = signed(word);
    else if (place !== '' && /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(word)) days.push(place + word);
    else return null;
  }
  return days.length === 0 ? null : [`BYDAY=${days.join(',')}`];
}

/** `2-` as `-2`. */
const signed = (word: string) => (word.endsWith('-') ? `-${word.slice(0, -1)}` : word.replace('+', ''));
