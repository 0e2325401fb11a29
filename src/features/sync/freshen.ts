import { setTimeout as delay } from 'node:timers/promises';
import { findCalendar } from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { shareLook } from '#platform/share-look.ts';
import { askedTooMuch, pullCalendar } from './pull.ts';

/** Readings of one calendar that may follow each other at once in a process, and the time that gives one back. */
const burst = 30;
const everyMs = 2_000;

/**
 * Reads calendars now, concurrently. Every reading begins after this call, because one that is under way may be older
 * than what a provider has stored since; callers that wait for it share the next. Returns those that are up to date at
 * the timeout. A caller that gives up does not cancel the reading of the others.
 */
export async function freshen(
  app: App,
  calendarIds: readonly CalendarId[],
  { timeoutMs }: { timeoutMs: number },
): Promise<Set<CalendarId>> {
  const fresh = new Set<CalendarId>();
  const all = calendarIds.map(async (id) => {
    if (await shareLook(app, `reading ${id}`, () => read(app, id, timeoutMs))) fresh.add(id);
  });
  const { promise: timeIsOver, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([Promise.all(all), timeIsOver]).finally(() => clearTimeout(timer));
  return new Set(fresh);
}

/** Never fails: who asks decides by what is known where a calendar could not be read, whatever the reason. */
async function read(app: App, id: CalendarId, timeoutMs: number): Promise<boolean> {
  try {
    const calendar = await findCalendar(app.db, id);
    if (calendar !== null && askedTooMuch(calendar)) return false;
    const signal = AbortSignal.timeout(timeoutMs);
    const waitMs = takeReading(app, id, performance.now());
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    return (await pullCalendar(app, id, signal, { isRoutine: false })) !== null;
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    const level = isTimeout || error instanceof ProviderError ? 'info' : 'warn';
    app.log[level]({ calendarId: id, err: error }, 'a calendar could not be read at once');
    return false;
  }
}

/** When all readings of a calendar are given back: monotonic milliseconds. */
type Allowances = Map<CalendarId, number>;
const allowancesOf = new WeakMap<App, Allowances>();
const allowancesKept = 10_000;

/** Takes one reading of a calendar's allowance. Returns the wait until it may begin, in milliseconds. */
function takeReading(app: App, id: CalendarId, nowMs: number): number {
  const allowances: Allowances = allowancesOf.get(app) ?? new Map();
  allowancesOf.set(app, allowances);
  if (allowances.size >= allowancesKept)
    for (const [other, fullMs] of allowances) if (fullMs <= nowMs) allowances.delete(other);
  const fullMs = Math.max(allowances.get(id) ?? 0, nowMs) + everyMs;
  allowances.set(id, fullMs);
  return Math.max(0, fullMs - burst * everyMs - nowMs);
}
