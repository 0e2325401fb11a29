import type { RecId } from '#kernel/event.ts';

/** Parses the event id of screens, the reverse of `eventIdOf`. The contract checks its form (`eventIdShape`). */
export function readEventId(eventId: string): { itemId: string; recId: RecId | '' } {
  const at = eventId.indexOf('_');
  return at === -1 ? { itemId: eventId, recId: '' } : { itemId: eventId.slice(0, at), recId: eventId.slice(at + 1) };
}
