import { busyTimeReading } from '#features/calendar/public.ts';
import { spansOf } from '#features/calendar/rules/materialise.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { parseFeedInSlices } from '#kernel/ical/parse-feed.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { comparisonLimits, describeWorkLimit } from '#kernel/work-limits.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { FetchError } from '#platform/fetch.ts';
import { inSlices } from '#platform/in-slices.ts';
import { networkOf, takeAllowance } from '#platform/limits.ts';
import { readAlone } from '#platform/reading.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { type compareEndpoints, mostCalendarChars } from './rules/compare-endpoints.ts';

type Asked = Input<(typeof compareEndpoints)['compareCalendar']>['body'];

const compared = { action: 'comparing a calendar', burst: 12, periodSeconds: 600 };
const timeoutMs = 10_000;
/** More different times than anybody has in two months. */
const mostSpans = 5_000;

/**
 * When a calendar of a visitor is busy, for their own eyes: read, answered and forgotten. *Units*: epoch minutes.
 * *Errors*: AppError invalid (NOT_A_CALENDAR, CALENDAR_UNREACHABLE), too-large (CALENDAR_TOO_LARGE), unauthenticated, limited.
 */
export async function compareCalendar(
  app: Pick<App, 'db' | 'fetch'>,
  asked: Asked,
  { actor, request }: { actor: Actor | null; request: Pick<RequestFacts, 'ip'> },
): Promise<{ from: number; to: number }[]> {
  await takeAllowance(app.db, compared, networkOf(request.ip));
  const fromMs = asked.from * minuteMs;
  const range = { fromMs, toMs: fromMs + asked.days * dayMs };
  const spans =
    asked.kind === 'own'
      ? await listOwn(app, actor, range)
      : await readBusy(asked.kind === 'file' ? asked.text : await fetchCalendar(app, asked.url), asked.zone, range);
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
    const { status, bytes } = await fetch.request({ url: url.href, maxBytes: mostCalendarChars, timeoutMs });
    if (status !== 200) throw unreachable();
    return bytes;
  } catch (error) {
    if (error instanceof FetchError) throw unreachable(error);
    throw error;
  }
}

/** Nothing in a stranger's file is taken for a block of ours: in their calendar it stands for something. */
const tags = { verify: () => false };

async function readBusy(
  file: string | Uint8Array,
  zone: string,
  range: { fromMs: number; toMs: number },
): Promise<Span[]> {
  const budget = new WorkBudget(comparisonLimits);
  try {
    budget.spend('bytes', file.length);
    return await inSlices(readInSlices(file, zone, range, budget), budget);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    throw new AppError('too-large', 'CALENDAR_TOO_LARGE', describeWorkLimit(error), { cause: error });
  }
}

function* readInSlices(
  file: string | Uint8Array,
  zone: string,
  range: { fromMs: number; toMs: number },
  budget: WorkBudget,
): Sliced<Span[]> {
  const feed = yield* parseFeedInSlices(file, { selfAddresses: [], tags });
  if (!feed.ok) throw new AppError('invalid', 'NOT_A_CALENDAR', 'This is no calendar file.');
  const zones = { calendarZone: feed.zone ?? zone, ownerZone: zone, holdRank: () => null };
  const busy: Span[] = [];
  for (const { body, provenance } of feed.objects) {
    for (const span of spansOf(body, provenance, zones, range, budget).spans)
      if (span.class === 'busy') busy.push(span);
    yield;
  }
  return busy;
}
