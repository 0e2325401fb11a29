import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { listShown } from './list-shown.ts';
import { loadViewer } from './load-viewer.ts';
import { type EventView, eventView } from './rules/event-view.ts';
import { readRange } from './rules/read-range.ts';

const mostEvents = 10_000;

/**
 * Every instance on the asked calendars that overlaps [from, to), in order of start. Six queries whatever the number of
 * calendars.
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
  const looked = calendars.filter((calendar) => (asked === null ? calendar.visible : asked.has(calendar.id)));
  const { shown, isCut } = await listShown(app, actor.userId, looked, ownerZone, { ...range, limit: mostEvents });
  return {
    truncated: isCut,
    events: shown.flatMap((span) => {
      const face = faces.get(span.calendarId);
      return face === undefined ? [] : [eventView(span, face, viewer)];
    }),
  };
}
