import type { Core, EventBody, Instances, Item } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { canonicalJson, contentHash } from '#kernel/event-hash.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { sha256 } from '#kernel/sha256.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { GraphEvent } from './graph-event.ts';
import { hasEnd, readDateTime, readInstant, readWhen } from './graph-time.ts';
import { ownUid } from './mirror-marks.ts';
import { readCore } from './read-core.ts';
import { readSeries, recIdOf } from './read-series.ts';
import { zoneNamed } from './zones.ts';

/** A stretch of time, half-open, epoch ms. */
export interface Window {
  fromMs: number;
  toMs: number;
}

/** Turns Graph's events of one account into items. */
export interface EventReader {
  /** An event that stands alone. */
  single(event: GraphEvent): Item;
  /** A master with all that belongs to it in the window; null where its instances have to be read instead. */
  series(master: GraphEvent, window: Window): Item | null;
  /** A master whose rule is of no use, by its instances in the window. */
  instances(master: GraphEvent, list: GraphEvent[], window: Window): Item;
  /** A row of a form that we do not know. */
  withheld(id: string, version: string): Item;
}

export function eventReader(selfAddresses: readonly string[], tags: TagVerifier): EventReader {
  const self = new Set(selfAddresses.map((address) => address.toLowerCase()));
  const coreOf =
    (own: boolean) =>
    (event: GraphEvent): Core =>
      readCore(event, self, own);

  function item(
    event: GraphEvent,
    read: (own: boolean) => EventBody,
    { more = '', warnings = [] }: { more?: string; warnings?: string[] } = {},
  ): Item {
    const uid = ownUid(event.transactionId, tags);
    const etag = event['@odata.etag'] ?? '';
    const foreignUid = event.iCalUId ?? '';
    const body = read(uid !== null);
    const { title } = body.kind === 'withheld' ? coreOf(false)(event) : {};
    return {
      ref: event.id,
      ...(uid !== null ? { uid } : foreignUid === '' ? {} : { uid: foreignUid }),
      version: more === '' ? etag : `${etag};${sha256(more).slice(0, 16)}`,
      provenance: uid === null ? 'foreign' : 'own',
      body,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(title === undefined ? {} : { known: { title } }),
    };
  }

  return {
    single(event) {
      const isCut = !takesNoTime(event) && readDateTime(event.start) !== null && !hasEnd(event);
      const warnings = isCut ? [warning('end-unreadable', { source: event.end?.dateTime ?? '' })] : [];
      const read = (own: boolean): EventBody => {
        if (takesNoTime(event)) return nothing(event.id);
        // A zone that nobody knows does not matter to one moment; what we wrote we wrote in UTC.
        const when = readWhen(event, own ? 'UTC' : (zoneNamed(event.originalStartTimeZone) ?? 'UTC'));
        return when === null
          ? { kind: 'withheld', reason: warning('time-unreadable', {}) }
          : { kind: 'single', when, core: coreOf(own)(event) };
      };
      return item(event, read, { warnings });
    },

    series(master, window) {
      if (takesNoTime(master)) return item(master, () => nothing(master.id));
      const read = readSeries(master, coreOf(ownUid(master.transactionId, tags) !== null), window);
      return read === null
        ? null
        : item(master, () => read.series, { more: exceptionsOf(master) + read.byClock.join() });
    },

    instances(master, list, window) {
      const body: Instances = { kind: 'instances', of: master.id, from: window.fromMs, to: window.toMs, list: {} };
      let unread = Math.max(0, list.length - eventLimits.instances);
      for (const event of list.slice(0, eventLimits.instances)) {
        if (event.isCancelled === true) continue;
        const zone = zoneNamed(event.originalStartTimeZone) ?? 'UTC';
        const when = readWhen(event, zone);
        const originalMs = readInstant(event.originalStart) ?? readDateTime(event.start);
        if (when === null || originalMs === null) {
          unread += 1;
          continue;
        }
        const kind = master.isAllDay === true ? 'all-day' : 'zoned';
        const recId = recIdOf(originalMs, kind, loadZone(zone) ?? utc);
        body.list[recId] = { when, core: coreOf(false)(event) };
      }
      const warnings = unread === 0 ? [] : [warning('changes-skipped', { number: unread })];
      return item(master, () => body, { more: contentHash(body), warnings });
    },

    withheld: (id, version) => ({
      ref: id,
      version,
      provenance: 'foreign',
      body: { kind: 'withheld', reason: warning('form-unknown', {}) },
    }),
  };
}

/** Cancelled by its organizer, or never sent: it stands in the calendar and takes no time. */
function takesNoTime(event: GraphEvent): boolean {
  return event.isCancelled === true || event.isDraft === true;
}

function nothing(id: string): Instances {
  return { kind: 'instances', of: id, from: -8.64e15, to: 8.64e15, list: {} };
}

/**
 * Versions of what hangs on a master, for it need not get a new one when they do; empty where nothing does, so that the
 * version is the etag itself. An etag holds no semicolon.
 */
function exceptionsOf(master: GraphEvent): string {
  const exceptions = (master.exceptionOccurrences ?? []).map((one) => {
    const { id, '@odata.etag': etag, changeKey } = one as { id?: string; '@odata.etag'?: string; changeKey?: string };
    return `${id} ${etag ?? changeKey}`;
  });
  const cancelled = [...(master.cancelledOccurrences ?? [])];
  return exceptions.length + cancelled.length === 0 ? '' : canonicalJson([exceptions.sort(), cancelled.sort()]);
}

/** The etag in a version, for If-Match. */
export function etagOf(version: string): string {
  return /^(?:W\/)?"[^"]*"/.exec(version)?.[0] ?? version;
}
