import { ProviderError } from '#kernel/errors.ts';
import type { EventBody, When } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import { endOf, lengthOf } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { utc } from '#kernel/time/zones.ts';
import type { MirrorBody } from '../port.ts';
import { writeEdges } from './graph-time.ts';
import { tagProperty, transactionIdOf } from './mirror-marks.ts';
import { toPattern } from './to-pattern.ts';
import { windowsNameOf } from './zones.ts';

export type EventResource = Record<string, unknown>;

export const showAsOf = {
  busy: 'busy',
  tentative: 'tentative',
  oof: 'oof',
  elsewhere: 'workingElsewhere',
  free: 'free',
  unknown: 'busy',
} as const;

/**
 * A mirror as the body of a PATCH: every property we own, and none that would invite, remind or answer anybody.
 *
 * *Errors*: `rejected` for a series that a pattern cannot say exactly, and for floating times.
 * *Source*: event resource type, singleValueLegacyExtendedProperty.
 */
export function patchOf(identity: MirrorIdentity, given: MirrorBody): EventResource {
  const body = inGraphsWords(given);
  const { core, when } = body;
  const recurrence = body.kind === 'series' ? toPattern(body) : null;
  if (body.kind === 'series' && recurrence === null) throw unsupported('this series as one event');
  return {
    subject: core.title ?? '',
    body: { contentType: 'text', content: core.notes ?? '' },
    location: { displayName: core.location ?? '' },
    ...timesOf(when, recurrence !== null),
    recurrence,
    showAs: showAsOf[core.busy],
    sensitivity: core.private ? 'private' : 'normal',
    isReminderOn: false,
    categories: ['Mirror'],
    singleValueExtendedProperties: [{ id: tagProperty, value: identity.tag }],
  };
}

/** The same as the body of a POST. The transactionId cannot be changed later, and lets no second event come of it. */
export function insertOf(identity: MirrorIdentity, body: MirrorBody): EventResource {
  const { recurrence, ...patch } = patchOf(identity, body);
  return {
    ...patch,
    ...(recurrence === null ? {} : { recurrence }),
    attendees: [],
    responseRequested: false,
    transactionId: transactionIdOf(identity),
  };
}

/** Returns a block as Graph returns it: an event has no color and no link of its own. */
function inGraphsWords(body: MirrorBody): MirrorBody {
  const normal = normaliseBody(body);
  const { color: _color, joinUrl: _link, categories: _categories, ...core } = normal.core;
  for (const name of ['title', 'location', 'notes'] as const) {
    const text = core[name]?.trim();
    if (text === undefined || text === '') delete core[name];
    else core[name] = text;
  }
  return { ...normal, core };
}

/** Whether what stands is what was to be written. */
export function standsAs(standing: EventBody, wanted: MirrorBody): boolean {
  return contentHash(standing) === contentHash(inGraphsWords(wanted));
}

/** Singles in UTC; a series in its own zone, or it would not follow the clocks. All-day: midnights, the end exclusive. */
function timesOf(when: When, recurring: boolean): EventResource {
  if (when.kind === 'all-day') {
    const edge = (date: string) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'UTC' });
    return { isAllDay: true, start: edge(when.start), end: edge(when.end) };
  }
  if (when.kind === 'floating') throw unsupported('a time without a time zone');
  const zone = loadEventZone(when.zone) ?? utc;
  const localMs = parseLocal(when.start) ?? 0;
  const startMs = zone.toInstant(localMs);
  const endMs = endOf(lengthOf(when.duration), startMs, localMs, zone);
  const named = recurring ? windowsNameOf(zone.id) : null;
  return { isAllDay: false, ...writeEdges({ startMs, endMs }, zone, named) };
}

export function unsupported(what: string): ProviderError {
  return new ProviderError('rejected', 'UNSUPPORTED', `Outlook doesn't support ${what}.`);
}
