import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { systemClock } from '#platform/clock.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { CalendarProvider, ProviderCapabilities } from '../port.ts';
import { openCollection } from './collection.ts';
import { findOutbox, listCalendars } from './discover.ts';
import { type FoundObject, findObject } from './find-object.ts';
import { toText } from './from-event.ts';
import { requestFreeBusy } from './guests/free-busy.ts';
import { type CaldavHttp, createDavClient, withinLimits } from './http.ts';
import type { CaldavProfile } from './profiles.ts';
import { pullCalendar } from './pull.ts';
import { createTagReader } from './read-tag.ts';
import { objectReader } from './to-event.ts';
import { createEventWriter } from './write-event.ts';
import { createObject, deleteObject, mirrorRef, updateObject } from './write-object.ts';

export interface CaldavOptions {
  /** As discovery gave it. */
  baseUrl: string;
  /** Both empty = no sign-in (a server behind its own proxy). */
  username: string;
  password: string;
  profile: CaldavProfile;
  http: CaldavHttp;
  /** Mail addresses of the account's owner. */
  selfAddresses: readonly string[];
  tags: TagVerifier;
  /** Milliseconds since the epoch. */
  clock?: () => number;
  /** Deadline of one exchange, body included; 30 s unless given. */
  timeoutMs?: number;
}

/** A CalDAV account as a calendar provider. Source: RFC 4791, RFC 6578; server differences in docs/providers.md. */
export function openCaldav(options: CaldavOptions): CalendarProvider {
  const nowMs = options.clock ?? systemClock.nowMs;
  const dav = createDavClient({ ...options, nowMs });
  const read = objectReader(options.selfAddresses, options.tags);
  const readTag = createTagReader();
  const { profile } = options;
  const at = (calendarRef: string) => openCollection(calendarRef, dav.origin);

  return {
    listCalendars: (signal) => listCalendars(dav, options.baseUrl, signal),

    pull: (request) => pullCalendar(dav, readTag, read, request),

    async createMirror(calendarRef, identity, body, signal) {
      const collection = at(calendarRef);
      return await createObject(
        dav,
        collection,
        mirrorRef(collection, identity, profile),
        toText(identity, body, nowMs()),
        signal,
      );
    },

    async updateMirror(calendarRef, current, identity, body, signal) {
      return await updateObject(dav, at(calendarRef), current, toText(identity, body, nowMs()), signal);
    },

    async deleteMirror(calendarRef, current, signal) {
      await deleteObject(dav, at(calendarRef), current, signal);
    },

    async findMirror(calendarRef, identity, signal) {
      const collection = at(calendarRef);
      const wanted = {
        ref: mirrorRef(collection, identity, profile),
        uid: identity.uid,
        nameContains: identity.key,
        renames: profile.namesByUid,
      };
      return await withinLimits(dav, readingLimits, async (within, budget) => {
        const readSliced = (object: FoundObject) => inSlices(read({ ...object, budget }), budget);
        const isIt = async (object: FoundObject) => (await readSliced(object))?.uid === identity.uid;
        const found = await findObject(within, collection, wanted, isIt, signal);
        const item = found === null ? null : await readSliced(found);
        return found === null || item === null ? null : { ref: found.ref, version: found.version, item };
      });
    },

    events: createEventWriter({ dav, read, profile, selfAddresses: options.selfAddresses }),

    async freeBusy(addresses, range, signal) {
      const outbox = await findOutbox(dav, options.baseUrl, signal);
      if (outbox === null) return new Map(addresses.map((address) => [address, null]));
      return await requestFreeBusy(dav, outbox, addresses, range, signal);
    },

    // Sockets belong to the dispatcher behind `http`, which outlives any one account.
    close: () => Promise.resolve(),
  };
}

export function caldavCapabilities(profile: CaldavProfile): ProviderCapabilities {
  return {
    series: 'native',
    push: false,
    maxConcurrency: profile.maxConcurrency,
    pollSeconds: profile.pollSeconds,
    identityReusable: profile.identityReusable,
  };
}
