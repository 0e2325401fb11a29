import { ProviderError } from '#kernel/errors.ts';
import type { When } from '#kernel/event.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { recurrenceLines } from '#kernel/ical/write-recurrence.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import { endOf, lengthOf } from '#kernel/time/duration.ts';
import { isNamedZone, loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printLocalDateTime } from '#kernel/time/local.ts';
import { isSkipped, utc } from '#kernel/time/zones.ts';
import type { MirrorBody } from '../port.ts';
import { nearestColorId } from './colors.ts';

export type Resource = Record<string, unknown>;

/** Google refuses an empty range. Source: Google Calendar API, "Handle API errors", `timeRangeEmpty`. */
const shortestMs = 60_000;

/**
 * A mirror as the body of a PATCH: every field we own, null where it shall be empty. No guests, no reminders of its own
 * or of the calendar, no conference; what Google has no word for stands in private properties. Links and categories have
 * no place, and blocks have none.
 *
 * *Errors*: `rejected` for what this adapter's capabilities exclude: floating times, instances that were moved; and for a
 * series that begins in a gap of the clocks, or whose zone has no name.
 * *Source*: Google Calendar API, Events resource; arrays are replaced whole, objects merged member by member.
 */
export function patchOf(identity: MirrorIdentity, given: MirrorBody): Resource {
  const body = normaliseBody(given);
  if (body.kind === 'series' && Object.keys(body.overrides).length > 0) throw unsupported('moved instances in a block');
  refuseSkippedStart(body);
  const { core, when } = body;
  const zone = when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : utc;
  return {
    summary: core.title ?? null,
    location: core.location ?? null,
    description: core.notes ?? null,
    ...timesOf(when),
    recurrence: body.kind === 'series' ? recurrenceLines(body, zone) : null,
    // guests that somebody added could decline, and the block would no longer take its time
    attendees: [],
    status: core.busy === 'tentative' ? 'tentative' : 'confirmed',
    transparency: core.busy === 'free' || core.busy === 'elsewhere' ? 'transparent' : 'opaque',
    visibility: core.private ? 'private' : 'default',
    colorId: nearestColorId(core.color) ?? null,
    reminders: { useDefault: false, overrides: [] },
    guestsCanInviteOthers: false,
    extendedProperties: {
      private: {
        holdfast: identity.tag,
        holdfastBusy: core.busy === 'oof' || core.busy === 'elsewhere' ? core.busy : null,
        holdfastColor: core.color ?? null,
      },
    },
  };
}

/** The same as the body of an insert, where nothing has to be emptied. */
export function insertOf(identity: MirrorIdentity, id: string, body: MirrorBody): Resource {
  const { attendees: _, ...fields } = patchOf(identity, body);
  return { id, ...(withoutNulls(fields) as Resource) };
}

/** Start and end; the other form of each is emptied, for an event that changes between timed and all-day. */
export function timesOf(when: When): Resource {
  if (when.kind === 'all-day') {
    const edge = (date: string) => ({ date, dateTime: null, timeZone: null });
    return { start: edge(when.start), end: edge(when.end) };
  }
  if (when.kind === 'floating') throw unsupported('times without a time zone');
  const zone = loadEventZone(when.zone) ?? utc;
  const localMs = parseLocal(when.start) ?? 0;
  const startMs = zone.toInstant(localMs);
  const endMs = endOf(lengthOf(when.duration), startMs, localMs, zone);
  const timeZone = isNamedZone(when.zone) ? when.zone : 'UTC';
  const edge = (ms: number) => ({ date: null, dateTime: `${printLocalDateTime(ms)}Z`, timeZone });
  return { start: edge(startMs), end: edge(Math.max(endMs, startMs + shortestMs)) };
}

/**
 * Google keeps a start as its instant: all later instances would stand at the time after the gap as well. A zone that no
 * VTIMEZONE can bring along has to have a name.
 */
export function refuseSkippedStart({ kind, when }: MirrorBody): void {
  if (kind === 'single' || when.kind !== 'zoned') return;
  if (!isNamedZone(when.zone)) throw unsupported('a series whose time zone has no name');
  if (isSkipped(loadEventZone(when.zone) ?? utc, parseLocal(when.start) ?? 0))
    throw unsupported('a series that starts at a time skipped when the clocks change. Start it at another time or day');
}

function unsupported(what: string): ProviderError {
  return new ProviderError('rejected', 'UNSUPPORTED', `Google Calendar doesn't support ${what}.`);
}

export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}
