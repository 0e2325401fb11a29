import type { UserId } from '#kernel/ids.ts';
import type { HoursFrom, SlotHost } from '#kernel/slots/slot-question.ts';
import { containsMs, intersectSpans, normalizeSpans, subtractSpans } from '#kernel/time/intervals.ts';
import type { StandIn } from './type-hosts.ts';

interface Seat {
  userId: string;
  standIns?: readonly StandIn[];
}

/** Returns all people whose time has to be known, each once; stand-ins come last. */
export function withStandIns<One extends Seat>(seats: readonly One[]): One[] {
  const known = new Set(seats.map(({ userId }) => userId));
  const others = seats.flatMap((seat) =>
    (seat.standIns ?? []).flatMap(({ toUserId }) => {
      if (known.has(toUserId)) return [];
      known.add(toUserId);
      return [{ ...seat, userId: toUserId, standIns: [] }];
    }),
  );
  return [...seats, ...others];
}

/**
 * The hosts as the engine takes them: each for as long as nobody stands in for them, and who does for as long as they do.
 * At any moment there is one for each seat, so that as many are needed as there are seats.
 */
export function seatHosts(seats: readonly Seat[], people: readonly SlotHost[]): SlotHost[] {
  const byId = new Map(people.map((one) => [one.id, one]));
  return seats.flatMap(({ userId, standIns = [] }, n) => {
    const own = people[n];
    if (own === undefined) return [];
    if (standIns.length === 0) return [own];
    const changes = standIns.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
    const away = standIns.map(({ fromMs, untilMs }) => ({ startMs: fromMs, endMs: untilMs }));
    const others = standIns.flatMap(({ toUserId, fromMs, untilMs }, i) => {
      const other = byId.get(toUserId);
      if (other === undefined) return [];
      const open = intersectSpans(other.open, away.slice(i, i + 1));
      const hours = hoursWhile(other, changes, (ms) => fromMs <= ms && ms < untilMs);
      return [{ ...other, id: seatId(toUserId, userId), optional: own.optional, open, hours }];
    });
    const hours = hoursWhile(own, changes, (ms) => !away.some((span) => containsMs(span, ms)));
    return [{ ...own, open: subtractSpans(own.open, normalizeSpans(away)), hours }, ...others];
  });
}

/** The hours of somebody who sits there only at times: whole while they do, or starts would count from when they sit down. */
function hoursWhile(host: SlotHost, changes: readonly number[], isThere: (atMs: number) => boolean): HoursFrom[] {
  const own: readonly HoursFrom[] = host.hours ?? [{ fromMs: Number.MIN_SAFE_INTEGER, open: host.open }];
  const begins = [...new Set([...own.map(({ fromMs }) => fromMs), ...changes])].sort((a, b) => a - b);
  return begins.map((fromMs) => {
    const now = own.findLast((one) => one.fromMs <= fromMs);
    return { fromMs, zone: now?.zone, open: isThere(fromMs) ? (now?.open ?? []) : [] };
  });
}

const seatId = (userId: string, insteadOf: string) => `${userId} for ${insteadOf}`;

/** Returns the host in a seat, and the host whose turn the seat counts for. */
export function readSeat(id: string): { userId: UserId; turnOf: UserId } {
  const [userId, turnOf = userId] = id.split(' for ') as UserId[];
  return { userId: userId as UserId, turnOf: turnOf as UserId };
}

/** How many have to be free: of a pool one, else all who are not optional, or as many of them as are enough. */
export const neededSeats = (seats: readonly { optional?: boolean }[], quorum: number | null) =>
  quorum ?? seats.filter(({ optional }) => !optional).length;
