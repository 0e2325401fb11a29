import type { Series } from '#kernel/event.ts';
import { recIdOf } from '#kernel/ical/read-recurrence.ts';
import { frameOf } from '#kernel/ical/series-frame.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { occurrenceTest, plainInstance } from '../rest/series-instances.ts';
import { fetchSeries } from './fetch-series.ts';
import { patchOf, timesOf } from './from-event.ts';
import { readTime } from './read-when.ts';
import { eventAt, send } from './requests.ts';
import type { GoogleEvent } from './resource.ts';
import { isCancelled, itemOf, type ReadContext, versionOf } from './to-event.ts';

/**
 * Brings the instances of a series of ours back that its user moved, edited or cancelled: changing the master leaves
 * them as they are. Google keeps an exception that equals its series; one that the series no longer has is deleted.
 * Gives the version of the series afterwards.
 *
 * Source: Google Calendar API, "Recurring events": an instance is changed under its own id, and confirmed again.
 */
export async function restoreInstances(
  rest: RestClient,
  calendarRef: string,
  ref: string,
  identity: MirrorIdentity,
  context: ReadContext,
  signal: AbortSignal,
): Promise<string> {
  const fetched = async () => {
    const parts = await fetchSeries(rest, calendarRef, ref, [], signal);
    if (parts?.master == null) throw badAnswer("it accepted the series, but doesn't have it under this name");
    return { ...parts, master: parts.master };
  };
  const parts = await fetched();
  const plain = itemOf({ ...parts, exceptions: [] }, context).body;
  // a single event by now: Google drops the instances on its own
  if (plain.kind !== 'series') return versionOf({ ...parts, exceptions: [] });
  const plan = planRestore(plain, parts.exceptions);
  for (const { event, recId } of plan) {
    const target = eventAt(calendarRef, event.id);
    if (recId === null) {
      await send(rest, {
        operation: 'events.delete',
        method: 'DELETE',
        target,
        query: { sendUpdates: 'none' },
        signal,
      });
      continue;
    }
    const instance = plainInstance(plain, recId);
    // In the zone of the series, where a single event of ours would stand in UTC.
    const { recurrence: _, ...fields } = patchOf(identity, { kind: 'single', ...instance });
    const body = { ...fields, ...timesOf(instance.when) };
    await send(rest, {
      operation: 'events.patch',
      method: 'PATCH',
      target,
      query: { sendUpdates: 'none' },
      body,
      signal,
    });
  }
  return versionOf(plan.length === 0 ? parts : await fetched());
}

/** Exceptions to bring back, and (without RecId) those to delete. */
function planRestore(plain: Series, exceptions: readonly GoogleEvent[]) {
  const frame = frameOf(plain.when, undefined);
  const occurs = occurrenceTest(plain);
  const plan: { event: GoogleEvent; recId: string | null }[] = [];
  for (const event of exceptions) {
    const original = readTime(event.originalStartTime);
    const recId = original === null ? null : recIdOf(original, frame);
    if (recId !== null && occurs(recId) && !plain.exdates.includes(recId)) plan.push({ event, recId });
    else if (!isCancelled(event)) plan.push({ event, recId: null });
  }
  return plan;
}
