import type { Attendee } from '#kernel/event.ts';
import type { ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Viewer } from './load-viewer.ts';
import { type EventView, eventIdOf, eventView } from './rules/event-view.ts';
import { listInstances } from './store/spans.ts';

/** An instance as screens show it, and who else is in it. */
export interface ReadInstance {
  event: EventView;
  attendees: readonly Attendee[];
}

/** Returns these instances as their owner sees them, by event id; two queries. Deleted ones are left out. */
export async function readInstances(
  db: Database,
  userId: UserId,
  viewer: Viewer,
  keys: readonly { itemId: ItemId; recId: string }[],
): Promise<Map<string, ReadInstance>> {
  const shown = await listInstances(db, userId, keys);
  return new Map(
    shown.flatMap((one) => {
      const face = viewer.faces.get(one.calendarId);
      if (face === undefined) return [];
      const read = { event: eventView(one, face, viewer), attendees: one.core?.attendees ?? [] };
      return [[eventIdOf(one.itemId, one.recId), read] as const];
    }),
  );
}
