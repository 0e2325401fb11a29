import type { RestReply } from '../rest/client.ts';
import type { EventResource } from './from-body.ts';
import { askGraph, eventPath } from './graph.ts';
import type { Place } from './read-events.ts';
import { whatIsGone } from './write-event.ts';

/** Changes or deletes an event, or one instance, that is still at `etag`. */
export async function editEvent(
  { rest, calendarRef, signal }: Place,
  ref: string,
  etag: string,
  request: { method: 'PATCH' | 'DELETE'; body?: EventResource },
): Promise<RestReply> {
  try {
    const target = eventPath(calendarRef, ref);
    return await askGraph(rest, { operation: 'edit', target, headers: { 'if-match': etag }, signal, ...request });
  } catch (error) {
    throw await whatIsGone(rest, calendarRef, error, signal);
  }
}
