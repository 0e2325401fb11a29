import { listHosts, loadOwnerZone } from '#features/accounts/public.ts';
import { listAway, listOpenHours } from '#features/availability/public.ts';
import { listTeammates } from '#features/teams/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import {
  contains,
  intersectSpans,
  normalizeSpans,
  overlaps,
  type Span,
  subtractSpans,
} from '#kernel/time/intervals.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { nearestFree } from '../rules/nearest-free.ts';
import { readEventId } from '../rules/read-event-id.ts';
import { readyUntil } from '../rules/span-window.ts';
import type { guestsContract } from './contract.ts';
import { type ExceptEvent, findUid, listBusyExcept, listSpansOf } from './store.ts';

type Asked = Input<typeof guestsContract.guestTimes>['body'];
type Answer = Output<typeof guestsContract.guestTimes>;

const dayMs = 86_400_000;
/** Free times are searched as far before and after the proposed time. */
const reachMs = 14 * dayMs;
const mostFree = 4;

/**
 * When the guests of a proposed event are busy or away, and times at which the caller and all guests who share theirs are free,
 * within the open hours of all where there is one. Teammates share when they are busy, and the caller may know it of others.
 * Other people look the same as people without an account. At most fifteen queries, whatever the number of guests.
 *
 * *Errors*: AppError invalid BAD_TIME.
 */
export async function listGuestTimes(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  body: Asked,
): Promise<Answer> {
  const wanted = readWanted(body);
  const nowMs = clock.nowMs();
  const [zone, teammates, except] = await Promise.all([
    loadOwnerZone(db, userId),
    findTeammates(db, userId, body.guests),
    findExcept(db, userId, body.except_event_id ?? null),
  ]);
  const day = dayOf(wanted, zone);
  const range = { startMs: Math.max(nowMs, wanted.startMs - reachMs), endMs: wanted.endMs + reachMs };
  // Beyond, instances of series are not ready, and nobody is called free.
  const isReady = range.endMs <= readyUntil(nowMs);
  const people = isReady ? [...new Set(teammates.values())] : [];
  const looked = { startMs: Math.min(day.startMs, range.startMs), endMs: Math.max(day.endMs, range.endMs) };
  const everybody = [userId, ...people];
  const asked = everybody.map((id) => ({ userId: id, policy: { kind: 'default' as const } }));
  const [found, known, open, away] = await Promise.all([
    listBusyExcept(db, everybody, looked, except),
    readKnown(db, userId, { known: body.known ?? [], except, looked }),
    listOpenHours(db, asked, looked, nowMs),
    listAway(db, everybody, looked, nowMs),
  ]);
  const spansOf = Map.groupBy(found, (one) => one.userId);
  const openOf = new Map(open.map((one) => [one.userId, one.spans]));
  const hoursOf = (id: UserId): Answer['guests'][number]['hours'] => {
    if (overlapsAny(away.get(id) ?? [], wanted)) return 'away';
    return contains(openOf.get(id) ?? [], wanted) ? 'open' : 'outside';
  };

  const guests = body.guests.map((address) => {
    const id = teammates.get(address.toLowerCase());
    const isTold = id !== undefined && isReady;
    const busy = isTold ? normalizeSpans(spansOf.get(id) ?? []) : known.get(address.toLowerCase());
    return {
      address,
      shared: busy !== undefined,
      busy_until: busy?.find((span) => overlaps(span, wanted))?.endMs ?? null,
      busy: intersectSpans(busy ?? [], [day]).map(edges),
      hours: isTold ? hoursOf(id) : ('open' as const),
      off: isTold ? subtractSpans([day], openOf.get(id) ?? []).map(edges) : [],
    };
  });
  const busy = normalizeSpans([...found, ...[...known.values()].flat()]);
  const isTaken = overlapsAny(busy, wanted) || guests.some(({ hours }) => hours === 'away');
  const isOutside = guests.some(({ hours }) => hours === 'outside');
  const isAnyShared = people.length > 0 || (isReady && known.size > 0);
  if (!(isTaken || isOutside) || !isAnyShared || range.startMs >= range.endMs)
    return { day: edges(day), guests, free: [] };

  const isOpen = open.reduce<Span[]>((both, { spans }) => intersectSpans(both, spans), [range]);
  // Nothing is offered on days off; times outside open hours only where the proposed one is taken and no other is left.
  const taken = normalizeSpans([...busy, ...[...away.values()].flat()]);
  const search = (spans: readonly Span[]) =>
    nearestFree({ wanted, range, busy: spans, preferred: [], count: mostFree }).map(edges);
  const within = search(normalizeSpans([...taken, ...subtractSpans([range], isOpen)]));
  return { day: edges(day), guests, free: within.length > 0 || !isTaken ? within : search(taken) };
}

const overlapsAny = (spans: readonly Span[], wanted: Span) => spans.some((span) => overlaps(span, wanted));

/** Busy times that the caller knows, by addresses in lower case, without the event that is edited: its guests are busy with it. */
async function readKnown(
  db: Database,
  userId: UserId,
  { known, except, looked }: { known: NonNullable<Asked['known']>; except: ExceptEvent | null; looked: Span },
): Promise<Map<string, Span[]>> {
  if (known.length === 0) return new Map();
  const edited = except === null ? [] : normalizeSpans(await listSpansOf(db, userId, except, looked));
  return new Map(
    known.map(({ address, busy }) => {
      const spans = busy.flatMap(({ start, end }) => (start < end ? [{ startMs: start, endMs: end }] : []));
      return [address.toLowerCase(), subtractSpans(normalizeSpans(spans), edited)];
    }),
  );
}

/** Guests who are in a team of the caller, by their addresses in lower case. */
async function findTeammates(db: Database, userId: UserId, addresses: readonly string[]): Promise<Map<string, UserId>> {
  if (addresses.length === 0) return new Map();
  const asked = new Set(addresses.map((address) => address.toLowerCase()));
  const ids = new Set((await listTeammates(db, userId)).map((one) => one.userId));
  ids.delete(userId);
  const hosts = [...(await listHosts(db, [...ids])).values()];
  return new Map(
    hosts.map((host) => [host.email.toLowerCase(), host.userId] as const).filter(([email]) => asked.has(email)),
  );
}

async function findExcept(db: Database, userId: UserId, eventId: string | null) {
  if (eventId === null) return null;
  const { itemId, recId } = readEventId(eventId);
  const uid = await findUid(db, userId, itemId);
  return { itemId, uid, recId };
}

function dayOf(wanted: Span, zone: string): Span {
  const start = Temporal.Instant.fromEpochMilliseconds(wanted.startMs).toZonedDateTimeISO(zone).startOfDay();
  return {
    startMs: start.epochMilliseconds,
    endMs: Math.max(start.add({ days: 1 }).startOfDay().epochMilliseconds, wanted.endMs),
  };
}

const edges = ({ startMs, endMs }: Span) => ({ start: startMs, end: endMs });

function readWanted({ start, end }: Asked): Span {
  const startMs = Temporal.Instant.from(start).epochMilliseconds;
  const endMs = Temporal.Instant.from(end).epochMilliseconds;
  if (startMs < endMs && endMs - startMs <= dayMs) return { startMs, endMs };
  throw new AppError('invalid', 'BAD_TIME', 'The end must be after the start, by at most a day.');
}
