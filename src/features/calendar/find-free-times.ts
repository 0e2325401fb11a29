import type * as z from 'zod/mini';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { listOpenHours } from '#features/availability/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import { normalizeSpans, overlaps, type Span } from '#kernel/time/intervals.ts';
import { printInstant } from '#kernel/time/local.ts';
import { viewLimits } from '#kernel/work-limits.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarContract } from './contract.ts';
import { expandSeries } from './expand-series.ts';
import { listShown } from './list-shown.ts';
import { eventIdOf } from './rules/event-view.ts';
import { nearestFree, nearestFreeDays } from './rules/nearest-free.ts';
import { readEventId } from './rules/read-event-id.ts';
import { listBusyInstances } from './store/spans.ts';

type FreeTimes = z.output<(typeof calendarContract)['freeTimes']['output']>;

interface Proposal {
  start: string;
  end: string;
  except_event_id?: string | null | undefined;
  calendar_ids?: string[] | undefined;
}

/** So far from the wanted time, before and after, a free one is looked for. */
const reachMs = 14 * 86_400_000;
const longestMs = 31 * 86_400_000;
const mostConflicts = 50;
const suggestions = 3;

/**
 * Finds the conflicts of a proposed time, and the nearest free windows of the same length. Suggested windows are never
 * past, and in working hours if the proposal touches them. Without a conflict nothing is suggested. The edited event
 * does not count, nor do our blocks, whose origins do. At most eleven queries whatever the number of calendars.
 */
export async function findFreeTimes(app: Pick<App, 'db' | 'clock'>, actor: Actor, body: Proposal): Promise<FreeTimes> {
  const wanted = readWanted(body);
  const [calendars, ownerZone] = await Promise.all([
    listCalendars(app.db, actor.userId),
    loadOwnerZone(app.db, actor.userId),
  ]);
  const asked = body.calendar_ids === undefined ? null : new Set<string>(body.calendar_ids);
  const looked = calendars.filter(({ id, counts }) => (asked === null ? counts : asked.has(id)));
  const isCounted = leavingOut(body.except_event_id ?? null);

  const at = { fromMs: wanted.startMs, toMs: wanted.endMs, limit: 1_000 };
  const { shown } = await listShown(app, actor.userId, looked, ownerZone, at);
  const isOfCounted = new Set(calendars.filter((calendar) => calendar.counts).map(({ id }) => id));
  const conflicts = shown.filter(
    (one) => one.class === 'busy' && isOfCounted.has(one.calendarId) && overlaps(one, wanted) && isCounted(one),
  );
  if (conflicts.length === 0) return { conflicts: [], free: [] };

  const range = { startMs: Math.max(app.clock.nowMs(), wanted.startMs - reachMs), endMs: wanted.endMs + reachMs };
  const within = { fromMs: range.startMs, toMs: range.endMs };
  const ids = looked.map(({ id }) => id);
  const isAhead = range.startMs < range.endMs;
  const limit = viewLimits.instances;
  const ready = isAhead ? await listBusyInstances(app.db, actor.userId, ids, { ...within, limit }) : [];
  const lookedAhead = looked.filter((calendar) => calendar.counts);
  const far = isAhead ? await expandSeries(app, lookedAhead, within, ownerZone) : { instances: [], isCut: false };
  const busy = normalizeSpans([...ready, ...far.instances.filter((one) => one.class === 'busy')].filter(isCounted));
  const question = { wanted, range, busy, count: suggestions };
  const free =
    nearestFreeDays(question, ownerZone) ??
    nearestFree({ ...question, preferred: await loadOpenSpans(app, actor.userId, range) });

  const nameOf = new Map(calendars.map((calendar) => [calendar.id, calendar.name]));
  return {
    conflicts: conflicts.slice(0, mostConflicts).map((one) => ({
      event_id: eventIdOf(one.itemId, one.recId),
      title: one.core?.title ?? 'Untitled',
      calendar_id: one.calendarId,
      calendar_name: nameOf.get(one.calendarId) ?? '',
      ...edges(one),
    })),
    // a partly known window is not called free
    free: far.isCut || ready.length === limit ? [] : free.map(edges),
  };
}

async function loadOpenSpans(app: Pick<App, 'db' | 'clock'>, userId: UserId, range: Span): Promise<Span[]> {
  const [open] = await listOpenHours(app.db, [{ userId, policy: { kind: 'default' } }], range, app.clock.nowMs());
  return open?.spans ?? [];
}

function edges({ startMs, endMs }: Span): { start: string; end: string } {
  return { start: printInstant(startMs), end: printInstant(endMs) };
}

function readWanted({ start, end }: Proposal): Span {
  const startMs = Temporal.Instant.from(start).epochMilliseconds;
  const endMs = Temporal.Instant.from(end).epochMilliseconds;
  if (endMs <= startMs || endMs - startMs > longestMs) {
    throw new AppError('invalid', 'BAD_TIME', 'The end must be after the start, by at most 31 days.');
  }
  return { startMs, endMs };
}

/** Whether an instance counts beside the one that is edited; an item without its instance stands for all of them. */
function leavingOut(eventId: string | null): (one: { itemId: string; recId: string }) => boolean {
  if (eventId === null) return () => true;
  const { itemId, recId } = readEventId(eventId);
  return (one) => one.itemId !== itemId || (recId !== '' && one.recId !== recId);
}
