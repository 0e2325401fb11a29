import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { viewLimits } from '#kernel/work-limits.ts';
import type { Actor } from '#platform/actor.ts';
import { answerBytes } from '#platform/answer-bytes.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import { listShown } from './list-shown.ts';
import { loadViewer, type Viewer } from './load-viewer.ts';
import { type EventView, eventView, type Shown } from './rules/event-view.ts';
import { readRange } from './rules/read-range.ts';

const mostEvents = 10_000;

/**
 * Every instance on the asked calendars that overlaps [from, to), in order of start; cut where their texts are more than an
 * answer may have. Six queries whatever the number of calendars.
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
  const { events, isFull } = await inSlices(viewsOf(shown, viewer, new WorkBudget(viewLimits)));
  return { events, truncated: isCut || isFull };
}

function* viewsOf(
  shown: readonly Shown[],
  viewer: Viewer,
  budget: WorkBudget,
): Sliced<{ events: EventView[]; isFull: boolean }> {
  const events: EventView[] = [];
  try {
    for (const [at, span] of shown.entries()) {
      const face = viewer.faces.get(span.calendarId);
      if (face === undefined) continue;
      const event = eventView(span, face, viewer);
      budget.spend('bytes', answerBytes(event));
      events.push(event);
      if (at % 100 === 99) yield;
    }
    return { events, isFull: false };
  } catch (error) {
    if (error instanceof WorkLimitError) return { events, isFull: true };
    throw error;
  }
}
