import type { EventRow } from '../grid-event.ts';
import type { Edit } from './edit-shapes.ts';

type Overlaid = Pick<Edit, 'state' | 'kind' | 'item_id' | 'replaces' | 'events'>;

/**
 * The events as they shall be: what a waiting edit hides is left out, what it shows is added. Edits that failed, wait
 * for a decision or were taken back show nothing, so what stands is seen again. The same list where nothing waits.
 */
export function overlayEdits(events: readonly EventRow[], edits: readonly Overlaid[]): readonly EventRow[] {
  const waiting = edits.filter((edit) => edit.state === 'pending');
  if (waiting.length === 0) return events;
  const hidden = new Set(waiting.flatMap((edit) => edit.replaces));
  const items = new Set(events.map((event) => event.item_id));
  const shown = new Map(events.filter((event) => !hidden.has(event.event_id)).map((event) => [event.event_id, event]));
  for (const edit of waiting) {
    // What was created may have been read already, before its edit is told to be done.
    if (edit.kind === 'create' && edit.item_id !== null && items.has(edit.item_id)) continue;
    for (const event of edit.events) shown.set(event.event_id, event);
  }
  return [...shown.values()];
}
