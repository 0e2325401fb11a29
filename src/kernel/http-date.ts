const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * `Mon, 08 Mar 2027 12:00:00 GMT` (RFC 9110, 5.6.7) or `… +0000` (RFC 5322 as APIs write it) as epoch ms; null for anything
 * else.
 */
export function parseHttpDate(text: string): number | null {
  const date = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}:\d{2}:\d{2}) (?:GMT|\+0000)$/.exec(text);
  const month = date === null ? -1 : monthNames.indexOf(date[2] ?? '');
  if (date === null || month < 0) return null;
  const instant = `${date[3]}-${String(month + 1).padStart(2, '0')}-${date[1]}T${date[4]}Z`;
  try {
    return Temporal.Instant.from(instant).epochMilliseconds;
  } catch {
    // A date such as 31 February: as good as no date.
    return null;
  }
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const two = (n: number) => String(n).padStart(2, '0');

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
