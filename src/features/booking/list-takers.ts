import type { UserId } from '#kernel/ids.ts';
import { decideSlot, type SlotReason } from '#kernel/slots/decide-slot.ts';
import { listFreeHosts } from '#kernel/slots/list-slots.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Database } from '#platform/db.ts';
import { listCandidates } from './list-candidates.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { orderHosts } from './rules/choose-host.ts';
import { readSeat } from './rules/seat-hosts.ts';
import type { Appointment } from './store/appointments.ts';
import type { EventType } from './store/event-type-rows.ts';

/** A person who could replace a host of an appointment. */
export interface Taker {
  userId: UserId;
  /** For whom it would count. */
  turnOf: UserId;
  isFree: boolean;
  /** Why not. */
  reasons: SlotReason[];
}

/**
 * Lists the people who could take an appointment at its own time: free ones first, then by turn. Notice, window and
 * limits are not checked, because the booking exists. Two queries and those of a slot question.
 */
export async function listTakers(
  db: Database,
  type: EventType,
  appointment: Pick<Appointment, 'id' | 'startMs' | 'endMs' | 'hostIds'>,
  nowMs: number,
): Promise<Taker[]> {
  const { id, startMs, endMs, hostIds } = appointment;
  const { question } = await loadSlotQuestion(db, {
    type,
    link: null,
    range: { startMs, endMs: startMs + 1 },
    durationMinutes: (endMs - startMs) / 60_000,
    nowMs,
    without: id,
  });
  const plain = {
    ...question,
    only: [startMs],
    noticeMs: 0,
    window: { startMs: 0, endMs: startMs + dayMs },
    limits: {},
    paused: false,
    shape: 'round-robin' as const,
    quorum: undefined,
    hosts: question.hosts.map((host) => ({ ...host, optional: false })),
  };
  const free = new Set(listFreeHosts(plain, startMs).map((host) => host.id));
  const order = orderHosts(await listCandidates(db, type, nowMs, id)).map((one) => one.id);
  return plain.hosts
    .map((host): Taker => {
      const alone = free.has(host.id) ? null : decideSlot({ ...plain, hosts: [host] }, startMs);
      const reasons = alone === null || alone.ok ? [] : alone.reasons;
      return { ...readSeat(host.id), isFree: free.has(host.id), reasons };
    })
    .filter(({ userId, turnOf, isFree }) => !hostIds.includes(userId) && (userId === turnOf || isFree))
    .sort(
      (one, other) =>
        Number(other.isFree) - Number(one.isFree) || order.indexOf(one.turnOf) - order.indexOf(other.turnOf),
    );
}
