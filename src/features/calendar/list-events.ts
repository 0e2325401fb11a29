import type * as z from 'zod/mini';
import { loadOwner } from '#features/accounts/public.ts';
import type { Calendar } from '#features/connections/public.ts';
import { calendarBadge, faceOf, isoOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import { eventLimits } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { eventShape } from './contract.ts';
import { audienceOf, type OwnSide, ownSideOf } from './rules/audience.ts';
import { busyClassOf } from './rules/busy-class.ts';
import { spanWindow } from './rules/span-window.ts';
import type { ViewSpan } from './store/spans.ts';
import { listSeriesIn, listViewSpans } from './store/spans.ts';

type EventView = z.output<typeof eventShape>;

const mostDays = 100;
const mostEvents = 10_000;

/**
 * Every instance on the asked calendars that overlaps [from, to), in order of start. Five queries whatever the number of
 * calendars: what blocks time is kept ready, our own blocks and far dates are expanded here.
 */
export async function listEvents(
  app: App,
  actor: Actor,
  query: { from: string; to: string; calendar_ids?: string | undefined },
): Promise<{ events: EventView[]; truncated: boolean }> {
  const range = readRange(query);
  const [calendars, connections, owner] = await Promise.all([
    listCalendars(app.db, actor.userId),
    listConnections(app.db, actor.userId),
    loadOwner(app.db, actor.userId),
  ]);
  const ownerZone = owner.zone;
  const own = ownSideOf([owner.email, ...connections.flatMap((connection) => connection.addresses)]);
  const asked = query.calendar_ids === undefined ? null : new Set(query.calendar_ids.split(','));
  const shown = calendars.filter((calendar) => (asked === null ? calendar.visible : asked.has(calendar.id)));
  const face = new Map(
    shown.map((calendar) => {
      const connection = connections.find((one) => one.id === calendar.connectionId);
      return [calendar.id, { calendar, provider: connection === undefined ? 'caldav' : faceOf(connection).word }];
    }),
  );
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
      const known = face.get(span.calendarId);
      return known === undefined ? [] : [eventView(span, known.calendar, { provider: known.provider, ownerZone, own })];
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

const instanceOf = (span: ViewSpan) => `${span.itemId} ${span.recId}`;

/** The window moves at midnight, what is kept ready follows within the day: its outermost days are not relied on. */
const edgeMs = 2 * 86_400_000;

/** Instances that are not kept ready: of our blocks always, of other series outside the materialised window. */
async function expandSeries(
  app: App,
  calendars: Calendar[],
  range: { fromMs: number; toMs: number },
  ownerZone: string,
): Promise<ViewSpan[]> {
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
      .map((one) => ({
        itemId: item.itemId,
        calendarId: item.calendarId,
        recId: one.recId,
        startMs: one.startMs,
        endMs: one.endMs,
        allDay: one.allDay,
        class: busyClassOf(one.core, {
          allDay: one.allDay,
          provenance: item.provenance,
          lengthMs: one.endMs - one.startMs,
        }),
        provenance: item.provenance,
        recurring: true,
        core: one.core,
      })),
  );
}

function eventView(
  span: ViewSpan,
  calendar: Calendar,
  { provider, ownerZone, own }: { provider: string; ownerZone: string; own: OwnSide },
): EventView {
  const { core } = span;
  const day = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ownerZone).toPlainDate().toString();
  return {
    event_id: span.recId === '' ? span.itemId : `${span.itemId}_${span.recId}`,
    item_id: span.itemId,
    calendar_id: span.calendarId,
    title: core?.title ?? 'Untitled',
    start_time: isoOf(span.startMs) ?? '',
    end_time: isoOf(span.endMs) ?? '',
    all_day: span.allDay,
    start_date: span.allDay ? day(span.startMs) : null,
    end_date: span.allDay ? day(span.endMs) : null,
    class: span.class,
    tentative: core?.busy === 'tentative' || core?.self === 'tentative' || core?.self === 'needs-action',
    declined: core?.self === 'declined',
    private: core?.private ?? false,
    recurring: span.recurring,
    attendees: core?.attendees?.map((attendee) => attendee.name ?? attendee.email) ?? [],
    audience: audienceOf(core?.attendees ?? [], own),
    description: core?.notes ?? '',
    location: core?.location ?? '',
    meeting_link: core?.joinUrl ?? null,
    provider,
    calendar_badge: calendarBadge(calendar.name),
    is_holdfast_block: span.provenance === 'own',
  };
}
