import { ProviderError } from '#kernel/errors.ts';
import { normalizeAddress } from '#kernel/ical/ical-text.ts';
import { type PatchContext, patchObject, writeObject } from '#kernel/ical/patch-object.ts';
import { writeReply } from '#kernel/itip/write-reply.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { EventIdentity, EventWriter, FoundMirror, MirrorBody } from '../port.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { notInvited } from '../rest/not-invited.ts';
import { type Collection, openCollection } from './collection.ts';
import { getObject, type ReadObject } from './fetch-objects.ts';
import { type FoundObject, findObject } from './find-object.ts';
import { type DavClient, withinLimits } from './http.ts';
import { readState } from './list-changes.ts';
import type { CaldavProfile } from './profiles.ts';
import { changedMeanwhile, createObject, deleteObject, updateObject } from './write-object.ts';

interface EventWriterOptions {
  dav: DavClient;
  read: ReadObject;
  profile: CaldavProfile;
  /** Mail addresses of the account's owner; the first one invites. */
  selfAddresses: readonly string[];
}

/**
 * A person's own events on a CalDAV server. An object is fetched, what differs is written into its own text, and it is
 * put back if nobody else was there meanwhile. Whether those invited get mail is the server's decision (RFC 6638 knows
 * no way to ask for silence), so `tellGuests` changes nothing here.
 */
export function createEventWriter({ dav, read, profile, selfAddresses }: EventWriterOptions): EventWriter {
  const at = (calendarRef: string) => openCollection(calendarRef, dav.origin);
  const context = () => ({
    stampMs: dav.nowMs(),
    owner: selfAddresses.map(normalizeAddress).find((one) => one.includes('@')),
  });

  const answersAs = new Set(selfAddresses.map(normalizeAddress));

  /** The object by its name; null only where the calendar itself is there to say so. */
  async function load(collection: Collection, ref: string, signal: AbortSignal) {
    const object = await getObject(dav, collection, ref, signal);
    if (object === null) await readState(dav, collection, signal);
    return object;
  }

  /** The object, if it is as the caller has seen it. */
  async function loadAt(collection: Collection, current: { ref: string; version: string }, signal: AbortSignal) {
    const object = await load(collection, current.ref, signal);
    if (object === null) throw new ProviderError('not-found', 'NOT_FOUND', 'The event no longer exists.');
    if (object.version !== current.version) throw changedMeanwhile();
    if (object.isExact === false) throw notEditable();
    return object;
  }

  async function found(
    ref: string,
    object: { version: string; text: string; requestId?: string | undefined },
  ): Promise<FoundMirror> {
    const item = await inSlices(read({ ref, version: object.version, text: object.text }));
    if (item === null) throw badAnswer('it has something else under the name of the event');
    return { ref, version: object.version, requestId: object.requestId, item };
  }

  /** Reads a written event back, because the server may have rewritten it. */
  async function readBack(collection: Collection, ref: string, signal: AbortSignal): Promise<FoundMirror> {
    const object = await getObject(dav, collection, ref, signal);
    if (object === null) throw badAnswer("it accepted the event, but doesn't have it under this name");
    return found(ref, object);
  }

  return {
    async read(calendarRef, ref, signal) {
      const object = await load(at(calendarRef), ref, signal);
      return object === null ? null : found(ref, object);
    },

    async create(calendarRef, identity, body, _options, signal) {
      const collection = at(calendarRef);
      const text = writeObject(identity.uid, body, context());
      if (text === null) throw notEditable();
      const wanted = eventRef(collection, identity, profile);
      // a server may take a creation for an update (SOGo), and then somebody's later change would be lost
      if ((await getObject(dav, collection, wanted, signal)) !== null) throw changedMeanwhile();
      const { ref } = await createObject(dav, collection, wanted, text, signal);
      return await readBack(collection, ref, signal);
    },

    async find(calendarRef, identity, signal) {
      const collection = at(calendarRef);
      const wanted = {
        ref: eventRef(collection, identity, profile),
        uid: identity.uid,
        nameContains: identity.key,
        renames: profile.namesByUid,
      };
      const object = await withinLimits(dav, readingLimits, (within, budget) => {
        const isIt = async (one: FoundObject) =>
          (await inSlices(read({ ...one, budget }), budget))?.uid === identity.uid;
        return findObject(within, collection, wanted, isIt, signal);
      });
      return object === null ? null : found(object.ref, object);
    },

    async answer(calendarRef, current, after, { parts, tellOrganizer, note }, signal) {
      const collection = at(calendarRef);
      const object = await loadAt(collection, current, signal);
      const before = await found(current.ref, object);
      const { body } = before.item;
      if (body.kind !== after.kind || (body.kind !== 'single' && body.kind !== 'series')) throw notEditable();
      const { stampMs } = context();
      const text = patchAnswer(object.text, body, after, { stampMs, answersAs });
      const isTold = await sendsAnswers(dav, collection, signal);
      const { ref } = text === object.text ? current : await updateObject(dav, collection, current, text, signal);
      const reply = tellOrganizer && !isTold ? writeReply(text, { parts, answersAs, note, stampMs }) : null;
      return { found: text === object.text ? before : await readBack(collection, ref, signal), reply };
    },

    async change(calendarRef, current, before, after, _options, signal) {
      const collection = at(calendarRef);
      const object = await loadAt(collection, current, signal);
      const text = patchObject(object.text, before, after, context());
      if (text === null) throw notEditable();
      if (text === object.text) return found(current.ref, object);
      const { ref } = await updateObject(dav, collection, current, text, signal);
      return await readBack(collection, ref, signal);
    },

    async remove(calendarRef, current, _options, signal) {
      await deleteObject(dav, at(calendarRef), current, signal);
    },
  };
}

function patchAnswer(text: string, before: MirrorBody, after: MirrorBody, context: PatchContext): string {
  let patched: string | null;
  try {
    patched = patchObject(text, before, after, context);
  } catch (error) {
    throw error instanceof RangeError ? notInvited() : error;
  }
  if (patched === null) throw notEditable();
  return patched;
}

/**
 * Whether the server itself sends the organizer the answer that is written. One that does not say so does not.
 * Source: RFC 6638 2, "calendar-auto-schedule".
 */
async function sendsAnswers(dav: DavClient, { url }: Collection, signal: AbortSignal): Promise<boolean> {
  try {
    return await dav.send({ operation: 'read', method: 'OPTIONS', url, signal }, async ({ headers }) =>
      (headers.dav ?? '').split(',').some((feature) => feature.trim() === 'calendar-auto-schedule'),
    );
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'rejected') return false;
    throw error;
  }
}

function eventRef(collection: Collection, identity: EventIdentity, profile: CaldavProfile): string {
  return `${collection.ref}${profile.namesByUid ? identity.uid : identity.key}.ics`;
}

function notEditable(): ProviderError {
  return new ProviderError(
    'rejected',
    'NOT_EDITABLE',
    "We can't change this event safely. Change it in the app that created it.",
  );
}
