import { busyTimeReading } from '#features/calendar/public.ts';
import { spansOf } from '#features/calendar/rules/materialise.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { parseFeed } from '#kernel/ical/parse-feed.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { FetchError } from '#platform/fetch.ts';
import { readAlone } from '#platform/reading.ts';
import { type compareEndpoints, mostCalendarBytes } from './rules/compare-endpoints.ts';

type Asked = Input<(typeof compareEndpoints)['compareCalendar']>['body'];
type AskedOfFile = Input<(typeof compareEndpoints)['compareFile']>['query'];

const timeoutMs = 10_000;
/** More different times than anybody has in two months. */
const mostSpans = 5_000;

/**
 * When a calendar of a visitor is busy, for their own eyes: read, answered and forgotten. *Units*: epoch minutes.
 * *Errors*: AppError invalid (NOT_A_CALENDAR, CALENDAR_UNREACHABLE), unauthenticated.
 */
export async function compareCalendar(
  app: Pick<App, 'db' | 'fetch'>,
  asked: Asked,
  actor: Actor | null,
): Promise<{ from: number; to: number }[]> {
  if (asked.kind === 'address') return compareFile(await fetchCalendar(app, asked.url), asked);
  const range = rangeOf(asked);
  return toMinutes(await listOwn(app, actor, range), range);
}

/** Like `compareCalendar`, for a file. *Errors*: AppError invalid (NOT_A_CALENDAR). */
export function compareFile(file: Uint8Array, asked: AskedOfFile): { from: number; to: number }[] {
  const range = rangeOf(asked);
  return toMinutes(readBusy(file, asked.zone, range), range);
}

const rangeOf = ({ from, days }: { from: number; days: number }) => {
  const fromMs = from * minuteMs;
  return { fromMs, toMs: fromMs + days * dayMs };
};

function toMinutes(spans: readonly Span[], range: { fromMs: number; toMs: number }): { from: number; to: number }[] {
  return normalizeSpans(spans.filter(({ startMs, endMs }) => endMs > range.fromMs && startMs < range.toMs))
    .slice(0, mostSpans)
    .map(({ startMs, endMs }) => ({
      from: Math.floor(Math.max(startMs, range.fromMs) / minuteMs),
      to: Math.ceil(Math.min(endMs, range.toMs) / minuteMs),
    }));
}

async function listOwn(
  { db }: Pick<App, 'db'>,
  actor: Actor | null,
  range: { fromMs: number; toMs: number },
): Promise<Span[]> {
  if (actor === null) throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Sign in to use your own calendars.');
  const busy = await readAlone(db, busyTimeReading([actor.userId], range));
  return busy.get(actor.userId) ?? [];
}

/** The address was typed by anybody: it is called as such, and what may not be called is told apart by nobody. */
async function fetchCalendar({ fetch }: Pick<App, 'fetch'>, typed: string): Promise<Uint8Array> {
  const unreachable = (cause?: unknown) =>
    new AppError('invalid', 'CALENDAR_UNREACHABLE', 'There is no calendar to be had at this address.', { cause });
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

/** Nothing in a stranger's file is taken for a block of ours: in their calendar it stands for something. */
const tags = { verify: () => false };

function readBusy(file: Uint8Array, zone: string, range: { fromMs: number; toMs: number }): Span[] {
  const feed = parseFeed(file, { selfAddresses: [], tags });
  if (!feed.ok) throw new AppError('invalid', 'NOT_A_CALENDAR', 'This is no calendar file.');
  const zones = { calendarZone: feed.zone ?? zone, ownerZone: zone, holdRank: () => null };
  return [...feed.objects].flatMap(({ body, provenance }) =>
    spansOf(body, provenance, zones, range).spans.filter((span) => span.class === 'busy'),
  );
}
