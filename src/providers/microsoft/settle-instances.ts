import { ProviderError } from '#kernel/errors.ts';
import type { RecId, Series } from '#kernel/event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { utc } from '#kernel/time/zones.ts';
import type { MirrorBody } from '../port.ts';
import {
  type Instance,
  occurrenceTest,
  plainInstance,
  planInstances as planSteps,
  type Step,
} from '../rest/series-instances.ts';
import { editEvent } from './edit-requests.ts';
import { crossesNeighbour } from './errors.ts';
import { differ, instanceChanges, isEmptyChange, patternOf, repeatsOtherwise, unrepeatable } from './event-changes.ts';
import { unsupported } from './from-body.ts';
import { askGraph, eventOf, eventPath, pagesOf } from './graph.ts';
import { eventFields, type GraphEvent, readEvent } from './graph-event.ts';
import { readInstant } from './graph-time.ts';
import { type Place, windowOptions } from './read-events.ts';
import { recIdOf } from './read-series.ts';
import { isLengthByClock } from './to-pattern.ts';

/** The instances of a person's series, each an event of its own as soon as it differs from its master. */

/** Plans the remaining changes of single instances once the master is up to date. */
export function planInstances(now: Series, after: Series): Step[] {
  return planSteps(now, after, (have, want) => isEmptyChange(instanceChanges(have, want, null)));
}

/** Takes the steps, each conditional on the instance as it was read just before: any of them may change all versions. */
export async function settleInstances(place: Place, master: GraphEvent, now: Series, plan: Step[]): Promise<void> {
  const names = await namesOf(place, master, now, plan);
  for (const { recId, have, want } of plan) {
    if (have === null && want !== null) throw cancelledForGood();
    const ref = names.get(recId);
    if (ref === undefined) {
      if (want === null) continue;
      throw new ProviderError('rejected', 'NO_SUCH_INSTANCE', 'Outlook no longer has this event in the series.');
    }
    const { rest, calendarRef, signal } = place;
    const target = eventPath(calendarRef, ref);
    const options = { $select: eventFields };
    const raw = eventOf((await askGraph(rest, { operation: 'event', method: 'GET', target, options, signal })).json);
    const etag = raw['@odata.etag'] ?? '*';
    if (want === null) await editEvent(place, ref, etag, { method: 'DELETE' });
    else await editEvent(place, ref, etag, { method: 'PATCH', body: instanceChanges(have, want, raw) });
  }
}

/** Returns the ids of instances by their original start. Changed ones come with the master, the others are listed. */
export async function namesOf(
  place: Place,
  master: GraphEvent,
  { when }: Pick<Series, 'when'>,
  plan: readonly Pick<Step, 'recId'>[],
): Promise<Map<RecId, string>> {
  const zone = when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : utc;
  const names = new Map<RecId, string>();
  const add = (row: unknown) => {
    const read = readEvent(row);
    const originalMs = read?.ok === true ? readInstant(read.event.originalStart) : null;
    if (read?.ok === true && originalMs !== null) names.set(recIdOf(originalMs, when.kind, zone), read.event.id);
  };
  master.exceptionOccurrences?.forEach(add);
  const missing = plan.filter(({ recId }) => !names.has(recId)).map(({ recId }) => parseRecId(recId)?.ms ?? 0);
  if (missing.length === 0) return names;
  const { rest, calendarRef, signal } = place;
  // A day more on both sides: days begin somewhere else in every zone.
  const window = { fromMs: Math.min(...missing) - dayMs, toMs: Math.max(...missing) + 2 * dayMs };
  const options = { ...windowOptions(window), $select: 'id,originalStart', $top: '100' };
  const target = `${eventPath(calendarRef, master.id)}/instances`;
  for await (const page of pagesOf(rest, { operation: 'instances', method: 'GET', target, options, signal })) {
    page.value.forEach(add);
  }
  return names;
}

/** Says no before anything is written to what would end half-way. */
export function refuseInexpressible(before: MirrorBody | null, after: MirrorBody): void {
  if (after.kind === 'single') return;
  const standing = before?.kind === 'series' ? before : null;
  const anew = standing === null || repeatsOtherwise(standing, after);
  if (anew) patternOf(after);
  else if (differ(standing.when, after.when) && !isLengthByClock(after.when)) throw unrepeatable();
  const occurs = occurrenceTest(after);
  if (!anew && standing.exdates.some((recId) => !after.exdates.includes(recId) && occurs(recId))) {
    throw cancelledForGood();
  }
  for (const [recId, instance] of Object.entries(after.overrides)) {
    const known = standing?.overrides[recId];
    if (known === undefined && !occurs(recId)) throw unsupported("a date that isn't part of the series");
    const isMoved = JSON.stringify(known?.when) !== JSON.stringify(instance.when);
    if (isMoved && crosses(after, recId, instance)) throw crossesNeighbour();
  }
}

/** Source: event resource type: what was deleted from a series is told by its day alone, and can be asked for no more. */
function cancelledForGood(): ProviderError {
  return new ProviderError(
    'rejected',
    'CANCELLED_FOR_GOOD',
    "Outlook can't restore a canceled date of a series. Create a separate event for that time.",
  );
}

/** How far back the instance before one is looked for: over a year's rule. */
const reachDays = 800;

/** Source: Update event, ErrorOccurrenceCrossingBoundary: not to or over the day of a neighbour, where that stands now. */
function crosses(series: Series, recId: RecId, instance: Instance): boolean {
  const { when, exdates, overrides } = series;
  const zone = when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : utc;
  const open = openSeries({ ...series, start: when.start, zone: when.kind === 'zoned' ? zone.id : null, exdates: [] });
  const stands = (ms: number) => !exdates.includes(makeRecId(when.kind, ms));
  const ms = parseRecId(recId)?.ms ?? 0;
  const before = open.between(ms - reachDays * dayMs, ms).startsMs.findLast(stands);
  const after = open.startsFrom(ms + 1).find(stands);
  const dayOf = (one: Instance) => Math.floor(localMsOf(one, zone) / dayMs);
  const neighbour = (at: number): Instance => {
    const name = makeRecId(when.kind, at);
    return overrides[name] ?? plainInstance(series, name);
  };
  const day = dayOf(instance);
  return (
    (before !== undefined && day <= dayOf(neighbour(before))) || (after !== undefined && day >= dayOf(neighbour(after)))
  );
}

function localMsOf({ when }: Instance, zone: typeof utc): number {
  const localMs = parseLocal(when.start) ?? 0;
  return when.kind === 'zoned' ? zone.toLocal((loadEventZone(when.zone) ?? utc).toInstant(localMs)) : localMs;
}
