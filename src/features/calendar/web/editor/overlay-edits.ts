import type { EventRow } from '../grid-event.ts';
import type { Edit } from './edit-shapes.ts';

type Overlaid = Pick<Edit, 'state' | 'replaces' | 'events'>;

/**
 * The events as they shall be: what an edit hides is left out, what it shows is added. One that is done goes on showing
 * for a moment (the server gives it events as long as a browser may not have read its calendar again); one that failed,
 * waits for a decision or was taken back shows nothing, so what stands is seen again. The same list where nothing waits.
 */
export function overlayEdits(events: readonly EventRow[], edits: readonly Overlaid[]): readonly EventRow[] {
  const showing = edits.filter(
    ({ state, replaces, events: shown }) =>
      (state === 'pending' || state === 'done') && replaces.length + shown.length > 0,
  );
  if (showing.length === 0) return events;
  const hidden = new Set(showing.flatMap((edit) => edit.replaces));
  const rows = new Map(events.filter((event) => !hidden.has(event.event_id)).map((event) => [event.event_id, event]));
  for (const edit of showing) for (const event of edit.events) rows.set(event.event_id, event);
  return [...rows.values()];
}
