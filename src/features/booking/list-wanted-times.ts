import { listOpenHours } from '#features/availability/public.ts';
import { AppError } from '#kernel/errors.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import type { App } from '#platform/app.ts';
import type { PublicType } from './find-public-type.ts';
import { repeatStarts } from './rules/repeat-starts.ts';
import type { Time } from './rules/wanted-time.ts';

/** How often something is to be, and what becomes of some of its dates: another start, or null to leave it out. */
interface Repeated {
  times?: number | undefined;
  changes?: readonly { start: number; instead: number | null }[] | undefined;
}

interface SeriesTimes {
  times: Time[];
  /** That they repeat by. */
  zone: string;
  /** Starts that are not wanted. */
  leftOut: number[];
}

/** The dates of a series as its event type repeats, whatever is taken. */
async function repeatTimes(
  app: Pick<App, 'db' | 'clock'>,
  { type }: Pick<PublicType, 'type'>,
  { startMs, endMs }: Time,
  count: number,
): Promise<SeriesTimes> {
  const { recurring, policy } = type.settings;
  if (recurring === null || count === 1) return { times: [{ startMs, endMs }], zone: 'UTC', leftOut: [] };
  const asked = type.hosts.slice(0, 1).map(({ userId }) => ({ userId, policy }));
  const [hours] = await listOpenHours(app.db, asked, { startMs, endMs }, app.clock.nowMs());
  const zone = hours?.zone ?? 'UTC';
  const starts = repeatStarts(startMs, zone, recurring.every, count);
  return { times: starts.map((start) => ({ startMs: start, endMs: start + endMs - startMs })), zone, leftOut: [] };
}

/**
 * All times that somebody books or holds at once, by their start.
 * *Errors*: AppError invalid with the field `times` or `changes`.
 */
export async function listWantedTimes(
  app: Pick<App, 'db' | 'clock'>,
  offer: Pick<PublicType, 'type'>,
  time: Time,
  { times: count = 1, changes = [] }: Repeated,
): Promise<SeriesTimes> {
  const { recurring } = offer.type.settings;
  if (count > 1 && recurring === null) throw wrong('times', "This event type can't be booked as a series.");
  if (count > (recurring?.max ?? 1)) throw wrong('times', `The limit is ${recurring?.max ?? 1}.`);
  const { times: dates, zone } = await repeatTimes(app, offer, time, count);
  const insteadOf = new Map(changes.map(({ start, instead }) => [start * minuteMs, instead]));
  const times = dates.flatMap(({ startMs, endMs }) => {
    const instead = insteadOf.get(startMs);
    if (instead === undefined) return [{ startMs, endMs }];
    return instead === null ? [] : [{ startMs: instead * minuteMs, endMs: instead * minuteMs + endMs - startMs }];
  });
  times.sort((one, other) => one.startMs - other.startMs);
  if (times.length === 0) throw wrong('changes', 'Keep at least one date.');
  if (times.some(({ startMs }, n) => startMs === times[n - 1]?.startMs))
    throw wrong('changes', 'The same date is listed twice.');
  const leftOut = dates.flatMap(({ startMs }) => (insteadOf.get(startMs) === null ? [startMs] : []));
  return { times, zone, leftOut };
}

const wrong = (field: string, message: string) =>
  new AppError('invalid', 'INVALID_INPUT', message, { fields: { [field]: message } });
