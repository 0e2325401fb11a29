import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { FoundMirror } from '../port.ts';
import { calendarPath, pagesOf } from './graph.ts';
import { eventFields, type GraphEvent, readEvent } from './graph-event.ts';
import { tagProperty } from './mirror-marks.ts';
import { type Place, readEvents } from './read-events.ts';

/**
 * Finds the mirror of an identity by its tag. Only its transactionId proves it, because a copy may bear the tag too.
 * Outlook compares the value without regard to case, but the property name with it.
 *
 * Source: Get singleValueLegacyExtendedProperty ("$filter").
 */
export async function findMirror(place: Place, identity: MirrorIdentity): Promise<FoundMirror | null> {
  const { rest, read, calendarRef, signal } = place;
  const filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${tagProperty}' and ep/value eq '${identity.tag}')`;
  const options = { $filter: filter, $select: eventFields };
  const target = `${calendarPath(calendarRef)}/events`;
  for await (const page of pagesOf(rest, { operation: 'find', method: 'GET', target, options, signal })) {
    for (const row of page.value) {
      const known = readEvent(row);
      if (known === null || !known.ok) continue;
      const found = await itemOf(place, known.event);
      if (found?.provenance !== 'own' || found.uid !== identity.uid) continue;
      return { ref: found.ref, version: found.version, item: found };
    }
  }
  return null;

  async function itemOf(at: Place, event: GraphEvent) {
    if (event.type !== 'seriesMaster') return read.single(event);
    for await (const page of readEvents(at, { refs: [], masters: [event.id] })) return page.items[0];
    return undefined;
  }
}
