import type { RecId } from '#kernel/event.ts';

/** What screens call an event, `eventIdOf` the other way round; its form is the contract's to check (`eventIdShape`). */
export function readEventId(eventId: string): { itemId: string; recId: RecId | '' } {
  const at = eventId.indexOf('_');
  return at === -1 ? { itemId: eventId, recId: '' } : { itemId: eventId.slice(0, at), recId: eventId.slice(at + 1) };
}
