import { spansOf } from '#features/calendar/rules/materialise.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { parseFeedInSlices } from '#kernel/ical/parse-feed.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { comparisonLimits, describeWorkLimit } from '#kernel/work-limits.ts';
import { inSlices, nextTurn } from '#platform/in-slices.ts';
import type { compareEndpoints } from './rules/compare-endpoints.ts';
import { busyMinutes, comparedRange } from './rules/compared-range.ts';

type Asked = Input<(typeof compareEndpoints)['compareFile']>['query'];

/**
 * When a calendar file of a visitor is busy, within one budget of work. *Units*: epoch minutes.
 * *Errors*: AppError invalid (NOT_A_CALENDAR), too-large (CALENDAR_TOO_LARGE).
 */
export async function compareFile(file: Uint8Array, asked: Asked): Promise<{ from: number; to: number }[]> {
  const range = comparedRange(asked);
  return busyMinutes(await readBusy(file, asked.zone, range), range);
}

/** Nothing in a stranger's file is taken for a block of ours: in their calendar it stands for something. */
const tags = { verify: () => false };

async function readBusy(file: Uint8Array, zone: string, range: { fromMs: number; toMs: number }): Promise<Span[]> {
  const budget = new WorkBudget(comparisonLimits);
  try {
    budget.spend('bytes', file.length);
    // decoding is one piece of work: of many files each has a turn of its own
    await nextTurn();
    return await inSlices(readInSlices(file, zone, range, budget), budget);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    throw new AppError('too-large', 'CALENDAR_TOO_LARGE', describeWorkLimit(error), { cause: error });
  }
}

function* readInSlices(
  file: Uint8Array,
  zone: string,
  range: { fromMs: number; toMs: number },
  budget: WorkBudget,
): Sliced<Span[]> {
  const feed = yield* parseFeedInSlices(file, { selfAddresses: [], tags, budget });
  if (!feed.ok) throw new AppError('invalid', 'NOT_A_CALENDAR', "This isn't a calendar file.");
  const zones = { calendarZone: feed.zone ?? zone, ownerZone: zone, holdRank: () => null };
  const busy: Span[] = [];
  for (const object of feed.objectsInSlices) {
    yield;
    if (object === undefined) continue;
    const { spans } = spansOf(object.body, object.provenance, zones, range, budget);
    for (const span of spans) if (span.class === 'busy') busy.push(span);
  }
  return busy;
}
