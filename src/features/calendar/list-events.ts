import type { Calendar } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import { eventLimits } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { loadViewer } from './load-viewer.ts';
import { type EventView, eventIdOf, eventView, type Shown, shownOf } from './rules/event-view.ts';
import { spanWindow } from './rules/span-window.ts';
import { listSeriesIn, listViewSpans } from './store/spans.ts';

const mostDays = 100;
const mostEvents = 10_000;

/**
 * Every instance on the asked calendars that overlaps [from, to), in order of start. Six queries whatever the number of
 * calendars: what blocks time is kept ready, our own blocks and far dates are expanded here.
 */
export async function listEvents(
  app: App,
  actor: Actor,
  query: { from: string; to: string; calendar_ids?: string | undefined },
): Promise<{ events: EventView[]; truncated: boolean }> {
  const range = readRange(query);
  const viewer = await loadViewer(app.db, actor.userId);
  const { faces, ownerZone } = viewer;
  const calendars = [...faces.values()].map(({ calendar }) => calendar);
  const asked = query.calendar_ids === undefined ? null : new Set(query.calendar_ids.split(','));
  const shown = calendars.filter((calendar) => (asked === null ? calendar.visible : asked.has(calendar.id)));
  const spans = await listViewSpans(
    app.db,
    actor.userId,
    shown.map(({ id }) => id),
    { ...range, limit: mostEvents + 1 },
  );
  const more = await expandSeries(app, shown, range, ownerZone);
  if (more.length > 0) {
    const held = new Set(spans.map(instanceOf));
    spans.push(...more.filter((span) => !held.has(instanceOf(span))));
    spans.sort((one, other) => one.startMs - other.startMs);
  }
  const truncated = spans.length > mostEvents;
  return {
    truncated,
    events: spans.slice(0, mostEvents).flatMap((span) => {
      const face = faces.get(span.calendarId);
      return face === undefined ? [] : [eventView(span, face, viewer)];
    }),
  };
}

function readRange(query: { from: string; to: string }): { fromMs: number; toMs: number } {
  const fromMs = Temporal.Instant.from(query.from).epochMilliseconds;
  const toMs = Temporal.Instant.from(query.to).epochMilliseconds;
  if (toMs <= fromMs || toMs - fromMs > mostDays * 86_400_000) {
    throw new AppError('invalid', 'RANGE', `Ask for more than nothing and at most ${mostDays} days at once.`);
  }
  return { fromMs, toMs };
}

const instanceOf = (span: Shown) => eventIdOf(span.itemId, span.recId);

/** The window moves at midnight, what is kept ready follows within the day: its outermost days are not relied on. */
const edgeMs = 2 * 86_400_000;

/** Instances that are not kept ready: of our blocks always, of other series outside the materialised window. */
async function expandSeries(
  app: App,
  calendars: Calendar[],
  range: { fromMs: number; toMs: number },
  ownerZone: string,
): Promise<Shown[]> {
  const window = spanWindow(app.clock.nowMs());
  const ready = { fromMs: window.fromMs + edgeMs, toMs: window.toMs - edgeMs };
  const inside = range.fromMs >= ready.fromMs && range.toMs <= ready.toMs;
  const zoneOf = new Map(calendars.map((calendar) => [calendar.id, calendar.zone]));
  const ids = calendars.map(({ id }) => id);
  const series = await listSeriesIn(app.db, ids, { ...range, limit: 5_000, onlyOwn: inside });
  return series.flatMap((item) =>
    occurrencesOf(item.body, zoneOf.get(item.calendarId) ?? ownerZone, ownerZone, range, {
      instances: eventLimits.instances,
      steps: eventLimits.steps,
    })
      .list.filter((one) => item.provenance === 'own' || one.endMs <= ready.fromMs || one.startMs >= ready.toMs)
      .map((one) => shownOf(item, one)),
  );
}
