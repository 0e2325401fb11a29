import { contentHash } from '#kernel/event-hash.ts';
import type {
  CalendarProvider,
  EventWriter,
  FoundMirror,
  MirrorBody,
  ProviderCapabilities,
  PullEnd,
  PullPage,
  PullRequest,
  Written,
} from '../port.ts';

/** The one calendar of a person who has none elsewhere. */
export const ownCalendar = {
  ref: 'holdfast',
  name: 'Holdfast',
  color: '#7048e8',
  writable: true,
  primary: true,
} as const;

/**
 * The calendar that Holdfast itself keeps: its events are the rows of the event store, and nothing stands behind them.
 * A write is done once its outcome is stored, so that there is nothing to ask, to find or to lose.
 */
export function openOwnCalendar(): CalendarProvider {
  const written = (ref: string, hash: string): Written => ({ ref, version: hash });
  return {
    listCalendars: async () => [ownCalendar],
    pull: (request) => nothingNew(request),
    readByName: () => nothingAsked(),
    createMirror: async (_calendarRef, identity, body) => written(identity.uid, contentHash(body)),
    updateMirror: async (_calendarRef, current, _identity, body) => written(current.ref, contentHash(body)),
    deleteMirror: async () => undefined,
    // a stored mirror needs no search, and an unstored one does not exist
    findMirror: async () => null,
    events: openOwnEvents(),
    close: async () => undefined,
  };
}

/** Events of its person: what is to stand is what stands, once its outcome is stored. */
function openOwnEvents(): EventWriter {
  const found = (ref: string, body: MirrorBody): FoundMirror => {
    const version = contentHash(body);
    return { ref, version, item: { ref, uid: ref, version, provenance: 'foreign', body } };
  };
  return {
    // nobody else changes these events, and callers have the store
    read: async () => null,
    find: async () => null,
    create: async (_calendarRef, identity, body) => found(identity.uid, body),
    change: async (_calendarRef, current, _before, after) => found(current.ref, after),
    remove: async () => undefined,
  };
}

/** Reports no changes, because the store has them all; a listing covers no time. */
async function* nothingNew({ cursor, full }: PullRequest): AsyncGenerator<PullPage, PullEnd> {
  yield* [];
  return {
    cursor: cursor ?? 'own',
    listed: full ? new Set<string>() : null,
    covers: { fromMs: 0, toMs: 0 },
    requests: 0,
  };
}

/** Whatever is asked for is as the store has it. */
async function* nothingAsked(): AsyncGenerator<PullPage, void> {
  yield* [];
}

export const ownCapabilities: ProviderCapabilities = {
  series: 'native',
  push: false,
  maxConcurrency: 8,
  pollSeconds: 3_600,
  identityReusable: true,
};
