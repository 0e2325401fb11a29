import type { Calendar } from '#features/connections/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askedTooMuch, pullCalendar } from './pull.ts';

/** A calendar read within this time is not read again. */
const goodForMs = 10_000;

type Readings = Map<CalendarId, Promise<boolean>>;
const readingsOf = new WeakMap<App, Readings>();

/**
 * Reads calendars now, concurrently, and joins readings that are under way. Returns those that are up to date at the
 * timeout. A caller that gives up does not cancel the reading of the others.
 */
export async function freshen(
  app: App,
  calendarIds: readonly CalendarId[],
  { timeoutMs }: { timeoutMs: number },
): Promise<Set<CalendarId>> {
  const fresh = new Set<CalendarId>();
  const all = calendarIds.map(async (id) => {
    if (await readOnce(app, id, timeoutMs)) fresh.add(id);
  });
  const { promise: timeIsOver, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([Promise.all(all), timeIsOver]).finally(() => clearTimeout(timer));
  return new Set(fresh);
}

function readOnce(app: App, id: CalendarId, timeoutMs: number): Promise<boolean> {
  const readings: Readings = readingsOf.get(app) ?? new Map();
  readingsOf.set(app, readings);
  const running = readings.get(id);
  if (running !== undefined) return running;
  const reading = read(app, id, timeoutMs).finally(() => readings.delete(id));
  readings.set(id, reading);
  return reading;
}

/** Never fails: who asks decides by what is known where a calendar could not be read, whatever the reason. */
async function read(app: App, id: CalendarId, timeoutMs: number): Promise<boolean> {
  try {
    const calendar = await findCalendar(app.db, id);
    if (isFresh(calendar, app.clock.nowMs())) return true;
    if (calendar !== null && askedTooMuch(calendar)) return false;
    return (await pullCalendar(app, id, AbortSignal.timeout(timeoutMs))) !== null;
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    const level = isTimeout || error instanceof ProviderError ? 'info' : 'warn';
    app.log[level]({ calendarId: id, err: error }, 'a calendar could not be read at once');
    return false;
  }
}

const isFresh = (calendar: Calendar | null, nowMs: number) =>
  calendar !== null &&
  calendar.failures === 0 &&
  calendar.lastSyncedMs !== null &&
  Math.abs(nowMs - calendar.lastSyncedMs) < goodForMs;
