import { ProviderError } from '#kernel/errors.ts';
import type { RestClient } from '../rest/client.ts';
import type { Resource } from './from-event.ts';
import { eventAt, send } from './requests.ts';
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

/** Changes an event, or an instance, that is still at `etag`. */
export async function patchEvent(
  edited: Edited,
  ref: string,
  etag: string | undefined,
  fields: Resource,
): Promise<void> {
  await edit(edited, ref, etag, { method: 'PATCH', body: fields });
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
): Promise<void> {
  try {
    await send(rest, {
      operation: 'events.edit',
      target: eventAt(calendarRef, ref),
      query: request.method === 'PATCH' ? { sendUpdates, fields: 'id,etag' } : { sendUpdates },
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
    'The event was changed by somebody else first. Nothing was overwritten.',
  );
}
