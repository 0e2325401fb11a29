import type { AppointmentId, BookingId, UserId } from '#kernel/ids.ts';
import { decideSlot } from '#kernel/slots/decide-slot.ts';
import type { SlotQuestion } from '#kernel/slots/slot-question.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import type { PublicType } from './find-public-type.ts';
import { listCandidates } from './list-candidates.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { orderHosts } from './rules/choose-host.ts';
import { type PassedWhy, passedHosts } from './rules/passed-hosts.ts';
import { readSeat } from './rules/seat-hosts.ts';
import { slotRefusal, tooFewSeats } from './rules/slot-refusal.ts';
import type { Time } from './rules/wanted-time.ts';

/** The assignment of a time. */
export interface Assigned {
  /** Host whose calendar has the event; in a pool, the assigned host. */
  userId: UserId;
  hostIds: UserId[];
  /** In a pool, for whom it counts. */
  turnOf: UserId | null;
  /** Policy version of `userId` that allowed the time. */
  policyId: string | null;
  policyN: number | null;
  /** In a pool, why it is nobody else's turn. */
  passed: Record<string, PassedWhy> | null;
}

interface Asked {
  /** About to leave its own time. */
  without?: AppointmentId | null;
  /** The caller's own hold, where it is a seat of a group. */
  withoutHold?: BookingId | null;
  /** The number of people, guests who are brought included. */
  people?: number;
  /** Keeps it, where they are free. */
  keep?: UserId | null;
  /** Owner of the guest's contact, who is assigned before anybody else. */
  owner?: UserId | null;
}

/**
 * Whether a time can be booked now, by what is known here: by the rules that offer it; and who takes it.
 * *Errors*: AppError conflict (SLOT_TAKEN, NOT_BOOKABLE).
 */
export async function demandSlot(
  app: Pick<App, 'clock'>,
  db: Database,
  offer: PublicType,
  time: Time,
  asked: Asked = {},
): Promise<Assigned> {
  const { type, link } = offer;
  const { without = null, withoutHold = null, people = 1 } = asked;
  const nowMs = app.clock.nowMs();
  const { question, versions } = await loadSlotQuestion(db, {
    type,
    link,
    range: { startMs: time.startMs, endMs: time.startMs + 1 },
    durationMinutes: (time.endMs - time.startMs) / 60_000,
    nowMs,
    without,
    withoutHold,
    people,
  });
  const decision = decideSlot(question, time.startMs);
  if (!decision.ok) {
    const isShort = people > 1 && decision.reasons.every(({ kind }) => kind === 'full');
    throw isShort && hasSeat(question, time.startMs) ? tooFewSeats() : slotRefusal(decision.reasons);
  }
  const seats = decision.hosts.map(readSeat);
  const isPool = type.kind === 'round-robin';
  const { userId, turnOf } = isPool ? await choose(db, offer, seats, nowMs, asked) : organise(seats, asked.keep);
  const free = new Set(seats.map((seat) => seat.turnOf));
  const allowed = versions.get(userId)?.findLast(({ fromMs }) => fromMs <= time.startMs);
  return {
    userId,
    hostIds: isPool ? [userId] : [...new Set(seats.map((seat) => seat.userId))],
    turnOf,
    policyId: allowed?.policyId ?? null,
    policyN: allowed?.n ?? null,
    passed:
      turnOf === null ? null : passedHosts(question, time.startMs, { turnOf, free, byOwner: asked.owner === userId }),
  };
}

const hasSeat = ({ hosts }: SlotQuestion, startMs: number) =>
  hosts.some(({ sessions = [] }) => sessions.some((one) => one.startMs === startMs && one.seatsLeft > 0));

type Seat = ReturnType<typeof readSeat>;

async function choose(
  db: Database,
  { type }: PublicType,
  seats: readonly Seat[],
  nowMs: number,
  { without, keep = null, owner = null }: Asked,
): Promise<Seat> {
  const candidates = await listCandidates(db, type, nowMs, without);
  const seatOf = (turnOf: UserId) => seats.find((seat) => seat.turnOf === turnOf);
  const free = candidates.filter(({ id }) => seatOf(id) !== undefined);
  const mine = (userId: UserId | null) => seats.find((seat) => seat.userId === userId)?.turnOf ?? null;
  const [first] = orderHosts(free, mine(owner) ?? mine(keep));
  const seat = first && seatOf(first.id);
  if (seat === undefined) throw slotRefusal([{ kind: 'no-host' }]);
  return seat;
}

/** All take part; the first of them has the event. */
function organise(seats: readonly Seat[], keep: UserId | null = null): Omit<Seat, 'turnOf'> & { turnOf: null } {
  const first = seats.find(({ userId }) => userId === keep) ?? seats[0];
  if (first === undefined) throw slotRefusal([{ kind: 'no-host' }]);
  return { userId: first.userId, turnOf: null };
}
