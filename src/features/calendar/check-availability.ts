import type * as z from 'zod/mini';
import { listOpenHours } from '#features/availability/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import { contains, type Span } from '#kernel/time/intervals.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarContract } from './contract.ts';
import { listTaken } from './list-taken.ts';
import { eventIdOf } from './rules/event-view.ts';
import type { Taken } from './store/spans.ts';

type Check = typeof calendarContract.checkAvailability;
type Answer = z.output<Check['output']>;
type Query = z.output<NonNullable<Check['query']>>;

const longestMs = 31 * 86_400_000;
const mostItems = 100;
/** Normal: what an event type has unless it says otherwise. */
const usualRank = 3;

/**
 * Whether a window lies in the person's open hours and nothing takes part of it. Holds of a lower rank than what would
 * be booked are told apart: they may be booked over. Four queries.
 *
 * *Errors*: AppError forbidden for somebody else's calendar, invalid BAD_TIME.
 */
export async function checkAvailability(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  query: Query,
): Promise<Answer> {
  if (query.user_id !== undefined && query.user_id !== userId)
    throw new AppError('forbidden', 'FORBIDDEN', 'You can only see your own availability.');
  const wanted = readWindow(query);
  const rank = Number(query.rank ?? usualRank);
  const [calendars, [open]] = await Promise.all([
    listCalendars(db, userId),
    listOpenHours(db, [{ userId, policy: { kind: 'default' } }], wanted, clock.nowMs()),
  ]);
  const ids = calendars.map(({ id }) => id);
  const range = { fromMs: wanted.startMs, toMs: wanted.endMs, rank, limitEach: mostItems + 1, nowMs: clock.nowMs() };
  const taken = await listTaken(db, userId, ids, range);
  const conflicts = taken.filter((one) => one.isInTheWay);
  const overbookable = taken.filter((one) => !one.isInTheWay);
  return {
    available: contains(open?.spans ?? [], wanted) && conflicts.length === 0,
    conflicts: conflicts.slice(0, mostItems).map(viewOf),
    priority_conflicts: overbookable.slice(0, mostItems).map(viewOf),
    truncated: Math.max(conflicts.length, overbookable.length) > mostItems,
  };
}

function viewOf(one: Taken): Answer['conflicts'][number] {
  return {
    event_ref: eventIdOf(one.itemId, one.recId),
    calendar_id: one.calendarId,
    start: printInstant(one.startMs),
    end: printInstant(one.endMs),
    class: one.class,
    rank: one.rank,
    ...(one.title === null ? {} : { title: one.title }),
  };
}

function readWindow({ start_time, end_time }: Query): Span {
  const startMs = Temporal.Instant.from(start_time).epochMilliseconds;
  const endMs = Temporal.Instant.from(end_time).epochMilliseconds;
  if (endMs > startMs && endMs - startMs <= longestMs) return { startMs, endMs };
  throw new AppError('invalid', 'BAD_TIME', 'The end must be after the start, by at most 31 days.');
}
