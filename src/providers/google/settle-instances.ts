import { ProviderError } from '#kernel/errors.ts';
import type { RecId, Series, When } from '#kernel/event.ts';
import { recIdOf } from '#kernel/ical/read-recurrence.ts';
import { frameOf } from '#kernel/ical/series-frame.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import type { MirrorBody } from '../port.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { type Instance, occurrenceTest, planInstances as planSteps, type Step } from '../rest/series-instances.ts';
import { changedMeanwhile, deleteEvent, type Edited, patchEvent } from './edit-requests.ts';
import { attendeesOf, instanceChanges, isEmptyChange } from './event-changes.ts';
import { type Resource, refuseSkippedStart } from './from-event.ts';
import { readTime } from './read-when.ts';
import { eventAt, getEvent, send } from './requests.ts';
import { editedFields, type GoogleEvent, readEvent, readPage } from './resource.ts';
import { isCancelled, type SeriesParts } from './to-event.ts';

/** The instances of a person's series, each an event of its own as soon as it differs from its master. */

/** Plans the remaining changes of single instances once the master is up to date. */
export function planInstances(now: Series, after: Series): Step[] {
  return planSteps(now, after, (have, want) => isEmptyChange(changesOf(have, want, null)));
}

/** How much of an event others see is said of a whole series. Source: Events: patch, "visibility" of instances. */
function changesOf(have: Instance | null, want: Instance, raw: GoogleEvent | null): Resource {
  const { visibility: _, ...fields } = instanceChanges(have, want, raw);
  return fields;
}

/** Takes the steps, each conditional on the instance as it was read. */
export async function settleInstances(edited: Edited, parts: SeriesParts, now: Series, plan: Step[]): Promise<void> {
  const { master } = parts;
  const known = await instancesOf(edited, parts, now.when, plan);
  for (const { recId, have, want } of plan) {
    const instance = known.get(recId);
    if (instance === undefined) {
      if (want === null) continue;
      throw new ProviderError('rejected', 'NO_SUCH_INSTANCE', 'Google no longer has this event in the series.');
    }
    if (want === null) {
      await deleteEvent(edited, instance.id, instance.etag);
    } else if (have === null) {
      // A cancelled instance tells nothing of what it was, so it is said in full; people are those of the series.
      const people = attendeesOf(now.core.attendees ?? [], want.core.attendees ?? [], master);
      const fields: Resource = {
        ...changesOf(null, want, null),
        ...(people.length === 0 ? {} : { attendees: people }),
      };
      await patchEvent(edited, instance.id, instance.etag, { ...fields, status: fields.status ?? 'confirmed' });
    } else {
      const raw = await getEvent(edited.rest, edited.calendarRef, instance.id, edited.signal, { fields: editedFields });
      if (raw === null || raw.etag !== instance.etag || isCancelled(raw)) throw changedMeanwhile();
      await patchEvent(edited, instance.id, raw.etag, changesOf(have, want, raw));
    }
  }
}

/** The named instances by their original start. Exceptions are at hand; of the others only Google knows the names. */
export async function instancesOf(
  edited: Edited,
  { exceptions }: Pick<SeriesParts, 'exceptions'>,
  when: When,
  plan: readonly Pick<Step, 'recId'>[],
): Promise<Map<RecId, GoogleEvent>> {
  const frame = frameOf(when, undefined);
  const known = new Map<RecId, GoogleEvent>();
  const add = (event: GoogleEvent) => {
    const original = readTime(event.originalStartTime);
    if (original !== null) known.set(recIdOf(original, frame), event);
  };
  exceptions.forEach(add);
  const missing = plan.filter(({ recId }) => !known.has(recId)).map(({ recId }) => parseRecId(recId)?.ms ?? 0);
  if (missing.length === 0) return known;
  // A day more on both sides: days begin by the calendar's zone.
  const margin = when.kind === 'all-day' ? dayMs : 0;
  const listed = await listInstances(edited, Math.min(...missing) - margin, Math.max(...missing) + margin + 1_000);
  const exceptional = new Set(exceptions.map(({ id }) => id));
  for (const event of listed) if (!exceptional.has(event.id)) add(event);
  return known;
}

const pageSize = 2_500;
const maxPages = 20;

/** Source: Events: instances; bounds are exclusive, of the end and of the start. */
async function listInstances(
  { rest, calendarRef, ref, signal }: Edited,
  fromMs: number,
  toMs: number,
): Promise<GoogleEvent[]> {
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  const events: GoogleEvent[] = [];
  let pageToken: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const { json } = await send(rest, {
      operation: 'events.instances',
      method: 'GET',
      target: `${eventAt(calendarRef, ref)}/instances`,
      query: {
        timeMin: at(fromMs),
        timeMax: at(toMs),
        showDeleted: true,
        maxResults: pageSize,
        fields: 'nextPageToken,items(id,etag,status,originalStartTime)',
        pageToken,
      },
      signal,
    });
    const page = readPage(json);
    if (page === null) throw badAnswer("it isn't a list of instances");
    events.push(...page.items.map(readEvent).filter((event) => event !== null));
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return events;
  }
  throw badAnswer('the list of instances of one series never ends');
}

/** Says no before anything is written to what would end half-way. */
export function refuseInexpressible(before: MirrorBody | null, after: MirrorBody): void {
  if (after.kind === 'single') return;
  refuseSkippedStart(after);
  const standing = before?.kind === 'series' ? before.overrides : {};
  const occurs = occurrenceTest(after);
  for (const [recId, { core }] of Object.entries(after.overrides)) {
    if (core.private && !after.core.private && standing[recId]?.core.private !== true) {
      throw new ProviderError(
        'rejected',
        'SERIES_ONLY',
        'Google Calendar sets visibility for a whole series. Make the whole series private instead.',
      );
    }
    if (standing[recId] === undefined && !occurs(recId)) {
      throw new ProviderError(
        'rejected',
        'UNSUPPORTED',
        "Google Calendar doesn't support a date that isn't part of the series.",
      );
    }
  }
}
