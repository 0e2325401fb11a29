import { notFound } from './errors.ts';
import { findOccurrence, momentOf } from './recurrence.ts';
import { instanceOf } from './select-events.ts';
import type { StoredEvent } from './stored-event.ts';
import type { Calendar } from './world.ts';

/** An event, or an instance that so far only its master speaks of. */
export function find(calendar: Calendar, id: string): StoredEvent {
  const event = calendar.events.get(id);
  if (event) return event;
  const occurrence = findOccurrence(id, (masterId) => {
    const master = calendar.events.get(masterId);
    return master?.status === 'cancelled' ? undefined : master;
  });
  if (!occurrence) throw notFound();
  return instanceOf(occurrence.master, momentOf(occurrence.original));
}
