import { ProviderError } from '#kernel/errors.ts';
import type { RestClient, RestReply } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import type { Resource } from './from-event.ts';
import { eventAt, send } from './requests.ts';
import { editedFields, type GoogleEvent, readEvent } from './resource.ts';
import { goneOrChanged } from './write-event.ts';

/** Conditional writes of a person's event, or of one instance of it. None is ever repeated here. */

/** An event that stands, as the calendar of an account has it. */
export interface Edited {
  rest: RestClient;
  calendarRef: string;
  ref: string;
  /** `sendUpdates`: whether Google mails those invited. */
  sendUpdates: 'all' | 'none';
  signal: AbortSignal;
}

/** Changes an event, or an instance, that is still at `etag`, and gives it as it stands then. */
export async function patchEvent(
  edited: Edited,
  ref: string,
  etag: string | undefined,
  fields: Resource,
): Promise<GoogleEvent> {
  const event = readEvent((await edit(edited, ref, etag, { method: 'PATCH', body: fields })).json);
  if (event === null) throw badAnswer("it accepted the change, but doesn't return the event");
  return event;
}

/** Deletes an event, or cancels an instance, that is still at `etag`. */
export async function deleteEvent(edited: Edited, ref: string, etag: string | undefined): Promise<void> {
  await edit(edited, ref, etag, { method: 'DELETE' });
}

async function edit(
  { rest, calendarRef, sendUpdates, signal }: Edited,
  ref: string,
  etag: string | undefined,
  request: { method: 'PATCH' | 'DELETE'; body?: Resource },
): Promise<RestReply> {
  try {
    return await send(rest, {
      operation: 'events.edit',
      target: eventAt(calendarRef, ref),
      query: request.method === 'PATCH' ? { sendUpdates, fields: editedFields } : { sendUpdates },
      headers: etag === undefined ? {} : { 'if-match': etag },
      signal,
      ...request,
    });
  } catch (error) {
    throw await goneOrChanged(rest, calendarRef, ref, error, signal);
  }
}

export function changedMeanwhile(): ProviderError {
  return new ProviderError(
    'precondition',
    'CHANGED_MEANWHILE',
    'The event was changed in another app first. Nothing was overwritten.',
  );
}
