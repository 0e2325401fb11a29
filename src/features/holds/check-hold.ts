import { AppError } from '#kernel/errors.ts';
import { contains, type Span } from '#kernel/time/intervals.ts';
import { type AllowedRange, rangeOf } from './rules/allowed-range.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const longestMs = 7 * dayMs;
/** As far ahead as it is known what takes time. */
const furthestMs = 366 * dayMs;

/** *Errors*: AppError invalid (BAD_TIME, BAD_RANGE). */
export function checkHold(
  { home, range, expiresMs }: { home: Span; range: AllowedRange; expiresMs: number | null },
  zone: string,
  nowMs: number,
): void {
  const lengthMs = home.endMs - home.startMs;
  if (lengthMs < 5 * minuteMs || lengthMs > longestMs)
    throw badTime('end', 'A hold is five minutes to seven days long.');
  if (home.endMs <= nowMs || home.startMs > nowMs + furthestMs)
    throw badTime('start', 'A hold is ahead, by a year at most.');
  if (expiresMs !== null && expiresMs <= nowMs) throw badTime('expires_at', 'It would be released at once.');
  if (range.kind === 'days' && !contains([rangeOf(range, home, zone)], home)) {
    const message = 'The days it may be moved within have to have its own among them.';
    throw new AppError('invalid', 'BAD_RANGE', message, { fields: { range: message } });
  }
}

const badTime = (field: string, message: string) =>
  new AppError('invalid', 'BAD_TIME', message, { fields: { [field]: message } });
