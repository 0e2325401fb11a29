const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (n: number) => String(n).padStart(2, '0');

/** The three forms of RFC 9110, 5.6.7, and `… +0000` of RFC 5322 as APIs write it. */
const dateForms = [
  /^\w{3}, (?<day>\d{1,2}) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) (?:GMT|UTC|\+0000)$/,
  /^\w{6,9}, (?<day>\d{2})-(?<month>\w{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^\w{3} (?<month>\w{3}) +(?<day>\d{1,2}) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/**
 * An HTTP date as epoch ms: `Mon, 08 Mar 2027 12:00:00 GMT`, `Monday, 08-Mar-27 12:00:00 GMT` (of the years 1970 to
 * 2069), or `Mon Mar  8 12:00:00 2027`; null for anything else.
 */
export function parseHttpDate(text: string): number | null {
  const date = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const month = monthNames.indexOf(date?.month ?? '');
  if (date === undefined || month < 0) return null;
  const { day = '', year = '', time = '' } = date;
  const fullYear = year.length === 2 ? `${Number(year) < 70 ? 20 : 19}${year}` : year;
  const instant = `${fullYear}-${two(month + 1)}-${day.padStart(2, '0')}T${time}Z`;
  try {
    return Temporal.Instant.from(instant).epochMilliseconds;
  } catch {
    // A date such as 31 February: as good as no date.
    return null;
  }
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** `Thu, 26 Nov 2026 23:43:43 +0000`: the date of a mail (RFC 5322 3.3), from epoch ms. */
export function writeMailDate(atMs: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO('UTC');
  const date = `${dayNames[at.dayOfWeek - 1]}, ${at.day} ${monthNames[at.month - 1]} ${at.year}`;
  return `${date} ${two(at.hour)}:${two(at.minute)}:${two(at.second)} +0000`;
}

/** Retry-After as a wait in ms: seconds or an HTTP date; undefined when absent or unreadable. Source: RFC 9110 10.2.3. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = parseHttpDate(text);
  return atMs === null ? undefined : Math.max(0, atMs - nowMs);
}
