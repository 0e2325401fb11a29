import { ProviderError } from '#kernel/errors.ts';
import type { Core, SelfResponse } from '#kernel/event.ts';
import type { EventIdentity, EventWriter, FoundMirror, MirrorBody } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { notInvited } from '../rest/not-invited.ts';
import { changedMeanwhile, deleteEvent, type Edited, patchEvent } from './edit-requests.ts';
import { eventGone } from './errors.ts';
import { bodyChanges, isEmptyChange } from './event-changes.ts';
import { fetchSeries } from './fetch-series.ts';
import { type Resource, withoutNulls } from './from-event.ts';
import { ownAttendee } from './read-core.ts';
import { eventsOf, getEvent, listPage, send } from './requests.ts';
import { editedFields, type GoogleEvent, readEvent } from './resource.ts';
import { instancesOf, planInstances, refuseInexpressible, settleInstances } from './settle-instances.ts';
import { etagIn, isCancelled, isRecurring, itemOf, type ReadContext, type SeriesParts, versionOf } from './to-event.ts';

const mailing = ({ tellGuests }: { tellGuests: boolean }) => (tellGuests ? 'all' : 'none');

/**
 * A person's own events at Google. Every write names the version that was read. A series is written as its master, then
 * each changed instance. Source: Google Calendar API, "Recurring events", "Version resources".
 */
export function googleEvents(rest: RestClient, reading: Omit<ReadContext, 'calendarZone'>): EventWriter {
  const readNow = async (calendarRef: string, ref: string, signal: AbortSignal): Promise<Standing | null> => {
    const master = await getEvent(rest, calendarRef, ref, signal, { fields: editedFields });
    return master === null || isCancelled(master) ? null : await withInstances(calendarRef, master, signal);
  };

  const withInstances = async (
    calendarRef: string,
    master: GoogleEvent,
    signal: AbortSignal,
  ): Promise<Standing | null> => {
    const ref = master.id;
    let parts: SeriesParts | null = { ref, master, exceptions: [] };
    if (isRecurring(master)) {
      const listed = await fetchSeries(rest, calendarRef, ref, [master], signal);
      // The list has people in less detail, and may lag behind what the event's own name shows.
      parts = listed === null ? null : { ...listed, master };
    }
    if (parts === null) return null;
    const calendarZone = needsZone(parts) ? await zoneOf(rest, calendarRef, signal) : undefined;
    const item = itemOf(parts, { ...reading, calendarZone });
    return { parts: { ...parts, master }, found: { ref, version: versionOf(parts), item } };
  };

  /** Returns the event if it has the version that the caller saw. Otherwise nothing is written. */
  const readAt = async (calendarRef: string, current: { ref: string; version: string }, signal: AbortSignal) => {
    const standing = await readNow(calendarRef, current.ref, signal);
    if (standing === null) throw eventGone();
    if (standing.found.version !== current.version) throw changedMeanwhile();
    return standing;
  };

  /** Instances that do not stand as they shall are brought there. */
  const settled = async (edited: Edited, after: MirrorBody, standing: Standing | null): Promise<FoundMirror> => {
    if (standing === null) throw eventGone();
    const { body } = standing.found.item;
    if (after.kind === 'single' || body.kind !== 'series') return standing.found;
    const plan = planInstances(body, after);
    if (plan.length === 0) return standing.found;
    await settleInstances(edited, standing.parts, body, plan);
    const settledNow = await readNow(edited.calendarRef, edited.ref, edited.signal);
    if (settledNow === null) throw eventGone();
    return settledNow.found;
  };

  return {
    read: async (calendarRef, ref, signal) => (await readNow(calendarRef, ref, signal))?.found ?? null,
    find: async (calendarRef, identity, signal) => (await readNow(calendarRef, identity.key, signal))?.found ?? null,

    async create(calendarRef, identity, body, options, signal) {
      const edited: Edited = { rest, calendarRef, ref: identity.key, sendUpdates: mailing(options), signal };
      refuseInexpressible(null, body);
      const event = await insert(edited, identity, body, options.conference === true);
      return await settled(edited, body, await withInstances(calendarRef, event, signal));
    },

    async change(calendarRef, current, before, after, options, signal) {
      const edited: Edited = { rest, calendarRef, ref: current.ref, sendUpdates: mailing(options), signal };
      refuseInexpressible(before, after);
      const standing = await readAt(calendarRef, current, signal);
      const { master } = standing.parts;
      const fields = bodyChanges(before, after, master);
      if (isEmptyChange(fields)) return await settled(edited, after, standing);
      const event = await patchEvent(edited, current.ref, master.etag, fields);
      return await settled(edited, after, await withInstances(calendarRef, event, signal));
    },

    async answer(calendarRef, current, after, { parts, tellOrganizer, note }, signal) {
      const sendUpdates = mailing({ tellGuests: tellOrganizer });
      const edited: Edited = { rest, calendarRef, ref: current.ref, sendUpdates, signal };
      const { parts: standing, found } = await readAt(calendarRef, current, signal);
      const say = async (event: GoogleEvent, { self }: Core) => {
        const fields = answerFields(event, reading.self, self, note);
        if (fields !== null) await patchEvent(edited, event.id, event.etag, fields);
      };
      if (parts.includes('')) await say(standing.master, after.core);
      const { body } = found.item;
      const names = parts.filter((part) => part !== '').map((recId) => ({ recId }));
      if (names.length > 0 && body.kind === 'series' && after.kind === 'series') {
        const known = await instancesOf(edited, standing, body.when, names);
        for (const { recId } of names) {
          const ref = known.get(recId)?.id;
          const event =
            ref === undefined ? null : await getEvent(rest, calendarRef, ref, signal, { fields: editedFields });
          if (event === null || isCancelled(event)) throw changedMeanwhile();
          await say(event, after.overrides[recId]?.core ?? after.core);
        }
      }
      const now = await readNow(calendarRef, current.ref, signal);
      if (now === null) throw eventGone();
      return { found: now.found, reply: null };
    },

    async remove(calendarRef, current, options, signal) {
      await readAt(calendarRef, current, signal);
      const edited: Edited = { rest, calendarRef, ref: current.ref, sendUpdates: mailing(options), signal };
      await deleteEvent(edited, current.ref, etagIn(current.version));
    },
  };
}

const answers: Partial<Record<SelfResponse, string>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentative',
  'needs-action': 'needsAction',
};

/**
 * The owner's own answer and nobody else's; null where it stands already. A note that is empty is taken out.
 * Source: Google Calendar API, Events, `attendeesOmitted`: "this can be used to only update the participant's response".
 */
function answerFields(
  { attendees = [] }: GoogleEvent,
  self: ReadonlySet<string>,
  answer: SelfResponse,
  note: string | null,
): Resource | null {
  const own = ownAttendee(attendees, self);
  const responseStatus = answers[answer];
  if (own === undefined || responseStatus === undefined) throw notInvited();
  const { self: _, ...standing } = own;
  const comment = note ?? standing.comment;
  if (standing.responseStatus === responseStatus && (standing.comment ?? '') === (comment ?? '')) return null;
  return {
    attendeesOmitted: true,
    attendees: [{ ...standing, responseStatus, ...(comment === undefined ? {} : { comment }) }],
  };
}

interface Standing {
  parts: SeriesParts & { master: NonNullable<SeriesParts['master']> };
  found: FoundMirror;
}

/**
 * A deleted event keeps its name for ever. One of ours that was deleted before its outcome was known is brought back.
 *
 * Source: Events: insert, "id"; seen to be refused by some, then the name is burnt.
 */
async function insert(
  edited: Edited,
  identity: EventIdentity,
  body: MirrorBody,
  conference: boolean,
): Promise<GoogleEvent> {
  const { rest, calendarRef, sendUpdates, signal } = edited;
  const fields = withoutNulls(bodyChanges(null, body, null)) as Resource;
  try {
    const { json } = await send(rest, {
      operation: 'events.insert',
      method: 'POST',
      target: eventsOf(calendarRef),
      query: { sendUpdates, fields: editedFields, ...(conference ? { conferenceDataVersion: 1 } : {}) },
      body: { id: identity.key, ...fields, ...(conference ? { conferenceData: newMeeting(identity) } : {}) },
      signal,
    });
    const event = readEvent(json);
    if (event === null) throw badAnswer("it accepted the event, but doesn't name it");
    if (event.id === identity.key) return event;
    // "We cannot guarantee that ID collisions will be detected at event creation time": the second one is taken back.
    await deleteEvent({ ...edited, sendUpdates: 'none' }, event.id, event.etag);
    throw new ProviderError('precondition', 'ALREADY_THERE', 'This event already exists.');
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'ALREADY_THERE') throw error;
    const event = await getEvent(rest, calendarRef, identity.key, signal, { fields: editedFields });
    if (event === null) throw error;
    // the id is ours, so an earlier attempt created it and its answer was lost
    if (!isCancelled(event)) return event;
    return await patchEvent(edited, event.id, event.etag, { status: 'confirmed', ...fields });
  }
}

/**
 * Asked for again under the same name it is the same meeting. Its link may come later, while the request is pending.
 * Source: Google Calendar API, "Create events", conferenceData.createRequest.
 */
const newMeeting = ({ key }: EventIdentity): Resource => ({
  createRequest: { requestId: key, conferenceSolutionKey: { type: 'hangoutsMeet' } },
});

/** The calendar's zone is told with a list only; it counts where an event names none, and for days. */
function needsZone({ master, exceptions }: SeriesParts): boolean {
  const unclear = [master, ...exceptions].some(
    (event) => event?.start?.dateTime !== undefined && event.start.timeZone === undefined,
  );
  return unclear || (master?.start?.date !== undefined && isRecurring(master));
}

async function zoneOf(rest: RestClient, calendarRef: string, signal: AbortSignal): Promise<string | undefined> {
  return (await listPage(rest, calendarRef, { maxResults: 1 }, signal)).timeZone;
}
