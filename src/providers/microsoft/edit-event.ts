import { ProviderError } from '#kernel/errors.ts';
import type { Item, RecId, SelfResponse } from '#kernel/event.ts';
import type { Answer, EventIdentity, EventWriter, FoundMirror, MirrorBody } from '../port.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { notInvited } from '../rest/not-invited.ts';
import { editEvent } from './edit-requests.ts';
import { changedMeanwhile, DuplicateTransaction, eventGone } from './errors.ts';
import { bodyChanges, isEmptyChange } from './event-changes.ts';
import { askGraph, calendarPath, eventOf, eventPath, pagesOf } from './graph.ts';
import { eventFields, type GraphEvent, readEvent } from './graph-event.ts';
import { identityProperty, personsTransaction } from './mirror-marks.ts';
import { type Place, readAlone, readMaster, seriesOptions } from './read-events.ts';
import { namesOf, planInstances, refuseInexpressible, settleInstances } from './settle-instances.ts';
import { etagOf } from './to-item.ts';
import { whatIsGone } from './write-event.ts';

/** An event that stands: as Graph tells it, and as an item. */
interface Standing {
  event: GraphEvent;
  item: Item;
}

/**
 * A person's own events in a mailbox. Graph mails invited people about every change, so `tellGuests` makes no
 * difference (capability `alwaysTellsGuests`). A series is written as its master, then each changed instance.
 *
 * Source: Create event, Update event, Delete event, event resource type.
 */
export function microsoftEvents(placeOf: (calendarRef: string, signal: AbortSignal) => Place): EventWriter {
  const found = async (place: Place, ref: string): Promise<FoundMirror | null> => {
    const standing = await readStanding(place, ref);
    return standing === null ? null : foundOf(standing.item);
  };

  /** Instances that do not stand as they shall are brought there. */
  const settled = async (place: Place, after: MirrorBody, standing: Standing | null): Promise<FoundMirror> => {
    if (standing === null) throw eventGone();
    const { event, item } = standing;
    const { body } = item;
    if (after.kind === 'single' || body.kind !== 'series') return foundOf(item);
    const plan = planInstances(body, after);
    if (plan.length === 0) return foundOf(item);
    await settleInstances(place, event, body, plan);
    const settledNow = await found(place, event.id);
    if (settledNow === null) throw eventGone();
    return settledNow;
  };

  return {
    read: (calendarRef, ref, signal) => found(placeOf(calendarRef, signal), ref),
    find: (calendarRef, identity, signal) => findOne(placeOf(calendarRef, signal), identity, found),

    async create(calendarRef, identity, body, { conference }, signal) {
      const place = placeOf(calendarRef, signal);
      refuseInexpressible(null, body);
      return await settled(place, body, await insert(place, identity, body, conference === true));
    },

    async change(calendarRef, current, before, after, _options, signal) {
      const place = placeOf(calendarRef, signal);
      refuseInexpressible(before, after);
      const standing = await readAt(place, current);
      const { event, item } = standing;
      const fields = bodyChanges(before, after, event);
      const isOthers = invited.includes(selfOf(item));
      if (isOthers && (sharedNames.some((name) => name in fields) || after.kind === 'series')) throw notOrganizer();
      if (isEmptyChange(fields)) return await settled(place, after, standing);
      const { json } = await editEvent(place, event.id, etagOf(current.version), { method: 'PATCH', body: fields });
      return await settled(place, after, await withInstances(place, eventOf(json)));
    },

    async answer(calendarRef, current, after, answer, signal) {
      const place = placeOf(calendarRef, signal);
      const { event, item } = await readAt(place, current);
      await respond(place, { event, item }, after, answer);
      const now = await readStanding(place, event.id);
      return { found: now === null ? null : foundOf(asAnswered(now.item, after, answer)), reply: null };
    },

    async remove(calendarRef, current, _options, signal) {
      const place = placeOf(calendarRef, signal);
      await readAt(place, current);
      await editEvent(place, current.ref, etagOf(current.version), { method: 'DELETE' });
    },
  };
}

const foundOf = (item: Item): FoundMirror => ({ ref: item.ref, version: item.version, item });

/**
 * Responses of an invited person, who can change only their own response. Source: event resource type, `isOrganizer`.
 */
const invited: readonly SelfResponse[] = ['accepted', 'tentative', 'needs-action', 'declined'];
const sharedNames = ['subject', 'body', 'location', 'start', 'end', 'isAllDay', 'recurrence', 'attendees'];

const selfOf = ({ body }: Item): SelfResponse =>
  body.kind === 'single' || body.kind === 'series' ? body.core.self : 'none';

function notOrganizer(): ProviderError {
  return new ProviderError('rejected', 'NOT_ORGANIZER', 'Only the organizer can change this event.');
}

const actions: Partial<Record<SelfResponse, string>> = {
  accepted: 'accept',
  tentative: 'tentativelyAccept',
  declined: 'decline',
};

/**
 * Sends each answer that does not stand yet. The actions know no condition: what stands was read just before.
 * Source: event: accept, event: tentativelyAccept, event: decline.
 */
async function respond(place: Place, { event, item }: Standing, after: MirrorBody, answer: Answer): Promise<void> {
  const { parts, again, note, tellOrganizer: sendResponse } = answer;
  const { rest, calendarRef, signal } = place;
  const wanted = parts.filter((part) => again || selfIn(item, part) !== selfIn({ body: after }, part));
  const names = wanted.filter((part) => part !== '').map((recId) => ({ recId }));
  const known =
    names.length > 0 && item.body.kind === 'series' ? await namesOf(place, event, item.body, names) : new Map();
  const isWhole = wanted.includes('');
  for (const part of wanted.toSorted()) {
    const action = actions[selfIn({ body: after }, part)];
    if (action === undefined) throw answerStands();
    const ref = part === '' ? event.id : known.get(part);
    if (ref === undefined) throw changedMeanwhile();
    const body = { sendResponse, ...(note === null || note === '' ? {} : { comment: note }) };
    try {
      const target = `${eventPath(calendarRef, ref)}/${action}`;
      await askGraph(rest, { operation: 'answer', method: 'POST', target, body, signal });
    } catch (error) {
      // the answer to the series took it out already
      if (isWhole && part !== '' && error instanceof ProviderError && error.code === 'NOT_FOUND') continue;
      throw await whatIsGone(rest, calendarRef, error, signal);
    }
  }
}

function selfIn({ body }: Pick<Item, 'body'>, part: RecId | ''): SelfResponse {
  if (body.kind === 'series') return (body.overrides[part]?.core ?? body.core).self;
  if (body.kind === 'single') return body.core.self;
  throw notInvited();
}

/** The event as it will stand: an answer is accepted (202) before it can be read. */
function asAnswered(item: Item, after: MirrorBody, { parts }: Answer): Item {
  const { body } = item;
  if (body.kind === 'single') return { ...item, body: { ...body, core: { ...body.core, self: after.core.self } } };
  if (body.kind !== 'series' || after.kind !== 'series') return item;
  const overrides = { ...body.overrides };
  for (const part of parts) {
    const known = part === '' || body.exdates.includes(part) ? undefined : (overrides[part] ?? after.overrides[part]);
    if (known !== undefined)
      overrides[part] = { ...known, core: { ...known.core, self: selfIn({ body: after }, part) } };
  }
  const core = parts.includes('') ? { ...body.core, self: after.core.self } : body.core;
  return { ...item, body: { ...body, core, overrides } };
}

function answerStands(): ProviderError {
  return new ProviderError(
    'rejected',
    'ANSWER_STANDS',
    "Outlook can't withdraw a response. Choose a different response instead.",
  );
}

async function readStanding(place: Place, ref: string): Promise<Standing | null> {
  const event = await readRow(place, ref, { $select: eventFields });
  return event === null ? null : await withInstances(place, event);
}

/** A master is told without its instances, except to who asks for them. */
async function withInstances(place: Place, event: GraphEvent): Promise<Standing | null> {
  if (event.type !== 'seriesMaster') return { event, item: place.read.single(event) };
  const master = await readRow(place, event.id, seriesOptions);
  return master === null ? null : { event: master, item: await readMaster(place, master) };
}

async function readRow(place: Place, ref: string, options: Record<string, string>): Promise<GraphEvent | null> {
  const row = await readAlone(place, ref, options);
  if (row !== undefined) return eventOf(row);
  // A calendar that is gone is another matter.
  await whatIsGone(place.rest, place.calendarRef, eventGone(), place.signal);
  return null;
}

/** Returns the event if it has the version that the caller saw. Otherwise nothing is written. */
async function readAt(place: Place, current: { ref: string; version: string }): Promise<Standing> {
  const standing = await readStanding(place, current.ref);
  if (standing === null) throw eventGone();
  if (standing.item.version !== current.version) throw changedMeanwhile();
  return standing;
}

/** The new event, or the one that an earlier attempt made. */
async function insert(
  place: Place,
  identity: EventIdentity,
  body: MirrorBody,
  conference: boolean,
): Promise<Standing | null> {
  const { rest, calendarRef, signal } = place;
  try {
    const { json } = await askGraph(rest, {
      operation: 'create',
      method: 'POST',
      target: `${calendarPath(calendarRef)}/events`,
      body: {
        ...bodyChanges(null, body, null),
        // Source: event resource type, `isOnlineMeeting`; read-only once it is true
        ...(conference ? { isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' } : {}),
        transactionId: personsTransaction(identity.key),
        singleValueExtendedProperties: [{ id: identityProperty, value: identity.key }],
      },
      signal,
    });
    return await withInstances(place, eventOf(json));
  } catch (error) {
    if (!(error instanceof DuplicateTransaction)) throw error;
    const { existingEventId } = error;
    const standing =
      existingEventId === null
        ? await findOne(place, identity, readStanding)
        : await readStanding(place, existingEventId);
    if (standing !== null) return standing;
    if (existingEventId !== null) {
      throw new ProviderError(
        'rejected',
        'DELETED_MEANWHILE',
        "The event was created, then deleted in Outlook. We didn't create it again.",
      );
    }
    throw error;
  }
}

/** Searched for by a property, believed only by the transactionId, since a copy may bear the property too. */
async function findOne<T>(
  place: Place,
  { key }: EventIdentity,
  read: (place: Place, ref: string) => Promise<T | null>,
): Promise<T | null> {
  const { rest, calendarRef, signal } = place;
  const filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${identityProperty}' and ep/value eq '${key}')`;
  const options = { $filter: filter, $select: 'id,transactionId' };
  const target = `${calendarPath(calendarRef)}/events`;
  for await (const page of pagesOf(rest, { operation: 'find', method: 'GET', target, options, signal })) {
    for (const row of page.value) {
      const known = readEvent(row);
      if (known === null) throw badAnswer("it doesn't name an event");
      if (known.ok && known.event.transactionId === personsTransaction(key)) return await read(place, known.event.id);
    }
  }
  return null;
}
