import { busyTimeReading } from '#features/calendar/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { FetchError } from '#platform/fetch.ts';
import { readAlone } from '#platform/reading.ts';
import { compareFile } from './compare-file.ts';
import { type compareEndpoints, mostCalendarBytes } from './rules/compare-endpoints.ts';
import { busyMinutes, comparedRange } from './rules/compared-range.ts';

type Asked = Input<(typeof compareEndpoints)['compareCalendar']>['body'];

const timeoutMs = 10_000;

/**
 * When a calendar of a visitor is busy, for their own eyes: read, answered and forgotten. *Units*: epoch minutes.
 * *Errors*: AppError invalid (NOT_A_CALENDAR, CALENDAR_UNREACHABLE), too-large (CALENDAR_TOO_LARGE), unauthenticated.
 */
export async function compareCalendar(
  app: Pick<App, 'db' | 'fetch'>,
  asked: Asked,
  actor: Actor | null,
): Promise<{ from: number; to: number }[]> {
  if (asked.kind === 'address') return compareFile(await fetchCalendar(app, asked.url), asked);
  const range = comparedRange(asked);
  return busyMinutes(await listOwn(app, actor, range), range);
}

async function listOwn(
  { db }: Pick<App, 'db'>,
  actor: Actor | null,
  range: { fromMs: number; toMs: number },
): Promise<Span[]> {
  if (actor === null)
    throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Sign in to compare with your own calendars.');
  const busy = await readAlone(db, busyTimeReading([actor.userId], range));
  return busy.get(actor.userId) ?? [];
}

/** The address was typed by anybody: it is called as such, and what may not be called is told apart by nobody. */
async function fetchCalendar({ fetch }: Pick<App, 'fetch'>, typed: string): Promise<Uint8Array> {
  const unreachable = (cause?: unknown) =>
    new AppError('invalid', 'CALENDAR_UNREACHABLE', "We couldn't find a calendar at this address.", { cause });
  const url = URL.parse(typed.trim().replace(/^webcals?:/i, 'https:'));
  if (url?.protocol !== 'https:') throw unreachable();
  try {
    const { status, bytes } = await fetch.request({ url: url.href, maxBytes: mostCalendarBytes, timeoutMs });
    if (status !== 200) throw unreachable();
    return bytes;
  } catch (error) {
    if (error instanceof FetchError) throw unreachable(error);
    throw error;
  }
}
