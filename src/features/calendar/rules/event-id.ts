import type { RecId } from '#kernel/event.ts';

/** What screens call an event: its item, with `_<recId>` for an instance of a series. */
export function eventIdOf(itemId: string, recId: RecId | ''): string {
  return recId === '' ? itemId : `${itemId}_${recId}`;
}

/** The other way round; the form is the contract's to check. */
export function readEventId(eventId: string): { itemId: string; recId: RecId | '' } {
  const at = eventId.indexOf('_');
  return at === -1 ? { itemId: eventId, recId: '' } : { itemId: eventId.slice(0, at), recId: eventId.slice(at + 1) };
}
