import type { Calendar } from '#features/connections/public.ts';
import { findCalendar } from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askedTooMuch, pullCalendar } from './pull.ts';

/** What was read so lately is as good as read now. */
const goodForMs = 10_000;

type Readings = Map<CalendarId, Promise<boolean>>;
const readingsOf = new WeakMap<App, Readings>();

/**
 * Reads calendars now, all at once and each once however many ask; answers with those that are up to date when the time
 * is over. Who waits no longer leaves the reading to those who do.
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
