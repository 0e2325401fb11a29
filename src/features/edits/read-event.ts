import type { Viewer } from '#features/calendar/public.ts';
import { notEditable, partOf, versionOf } from '#features/calendar/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventBody } from '#kernel/event.ts';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { loadEvent } from './load-event.ts';
import { type Details, detailsOf } from './rules/event-details.ts';

/** One event or instance for the editor. *Errors*: AppError not-found. */
export async function readEvent(app: App, actor: Actor, eventId: string): Promise<Details> {
  const event = await loadEvent(app.db, actor.userId, eventId, app.clock.nowMs());
  const { viewer, stored } = event;
  const details = detailsView(viewer, {
    ...event,
    ref: stored?.ref ?? null,
    provenance: stored?.provenance ?? 'foreign',
  });
  if (details === null) throw new AppError('not-found', 'NOT_FOUND', 'This event cannot be read.');
  return details;
}

interface DetailedItem {
  itemId: ItemId;
  calendarId: CalendarId;
  recId: string;
  ref: string | null;
  provenance: 'foreign' | 'own';
  body: EventBody;
  hash: string;
}

/** Null for what cannot be read, or whose calendar is gone. */
export function detailsView(viewer: Viewer, item: DetailedItem): Details | null {
  const { itemId, calendarId, recId, ref, provenance, body, hash } = item;
  const face = viewer.faces.get(calendarId);
  if (face === undefined) return null;
  const details = detailsOf(body, recId, face.calendar.zone);
  if (details === null) return null;
  const core = partOf(body, recId).core;
  const reason = notEditable({ provenance, body: body.kind, core }, face);
  return {
    ...details,
    event_id: recId === '' ? itemId : `${itemId}_${recId}`,
    item_id: itemId,
    calendar_id: calendarId,
    version: versionOf(hash),
    editable: reason === null,
    not_editable_reason: reason,
    open_url: ref === null ? null : face.openUrl(ref, recId),
  };
}
