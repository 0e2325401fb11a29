import { randomUUID } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { AppointmentId, EventTypeId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { chooseTarget, type Target } from './choose-target.ts';
import { type Assigned, demandSlot } from './demand-slot.ts';
import type { PublicType } from './find-public-type.ts';
import { eventKeyOf, uidOf } from './rules/booking-address.ts';
import { slotTaken } from './rules/slot-refusal.ts';
import { everyHost } from './rules/type-hosts.ts';
import { needsLock, type Time } from './rules/wanted-time.ts';
import {
  type Appointment,
  beginAttempt,
  holdGroup,
  insertAppointment,
  lockHosts,
  settleBlocks,
  undoAttempt,
} from './store/appointments.ts';
import { expireSeats, insertSeat } from './store/bookings.ts';
import type { NewSeat } from './store/new-seat.ts';

export interface Claimed {
  uid: string;
  /** Host whose calendar has the event. */
  userId: UserId;
  appointmentId: AppointmentId;
  seat: number;
}

/**
 * Claims a time, as a booking or as a reservation that is filled in later. Constraints decide races; the transaction of
 * a loser rolls back. *Errors*: AppError conflict (SLOT_TAKEN, NOT_BOOKABLE).
 */
export async function claimSlot(app: App, tx: Tx, offer: PublicType, time: Time, claim: Claim): Promise<Claimed> {
  const { type } = offer;
  if (needsLock(offer)) await lockHosts(tx, everyHost(type));
  if (type.teamId === null) return claimFor(app, tx, offer, time, claim, await demandSlot(app, tx, offer, time, claim));
  // a booking of one host takes no lock: after a lost race the rule is asked again with the new state
  for (let attempt = 0; ; attempt += 1) {
    await beginAttempt(tx);
    const assigned = await demandSlot(app, tx, offer, time, claim);
    try {
      const target = await chooseTarget(tx, offer, assigned.userId);
      return await claimFor(app, tx, offer, time, { ...claim, target }, assigned);
    } catch (error) {
      if (attempt >= type.hosts.length || !(error instanceof AppError) || error.code !== 'SLOT_TAKEN') throw error;
      await undoAttempt(tx);
    }
  }
}

interface Claim extends Pick<NewSeat, 'id' | 'expiresMs' | 'network' | 'filling' | 'entry' | 'series'> {
  /** Target of a person's event type; a team's target follows from the assigned host. */
  target: Target;
  keep?: UserId | null;
  owner?: UserId | null;
  /** The number of people, guests who are brought included; one unless given. */
  people?: number;
}

async function claimFor(
  app: App,
  tx: Tx,
  { type, link }: PublicType,
  time: Time,
  { id, expiresMs, network, filling, entry, target, series, people = 1 }: Claim,
  { userId, hostIds, turnOf, policyId, policyN, passed }: Assigned,
): Promise<Claimed> {
  const nowMs = app.clock.nowMs();
  const isGroup = type.settings.seats > 1;
  const group = isGroup ? await joinableGroup(tx, { eventTypeId: type.id, ...time }, nowMs) : null;
  const appointmentId = group?.id ?? (randomUUID() as string as AppointmentId);
  const first: NewSeat = {
    id,
    expiresMs,
    network,
    filling,
    entry,
    series,
    // the UID of its event, if the event is of this booking alone: a guest's calendar then has one meeting
    uid: uidOf(id, isGroup ? undefined : target.uidDomain),
    userId,
    eventTypeId: type.id,
    linkId: link?.id ?? null,
    nowMs,
  };
  if (group === null) {
    const { buffer_before_minutes: before, buffer_after_minutes: after, seats, location } = type.settings;
    const isOurs = await insertAppointment(
      tx,
      {
        id: appointmentId,
        userId,
        eventTypeId: type.id,
        hostIds,
        title: type.title,
        ...time,
        bufferBeforeMs: before * 60_000,
        bufferAfterMs: after * 60_000,
        seats,
        location,
        policyId,
        policyN,
        calendarId: target.calendarId,
        eventKey: eventKeyOf(isGroup ? appointmentId : id),
        turnOf,
        assignedMs: turnOf === null ? null : nowMs,
        passed,
      },
      { nowMs, expiresMs },
      first,
    );
    if (!isOurs) throw slotTaken();
    return { uid: first.uid, userId, appointmentId, seat: 1 };
  }
  const n = await insertSeat(tx, first, { ...group, people });
  if (n === null) throw slotTaken();
  return { uid: first.uid, userId, appointmentId, seat: n };
}

/** The group that meets at a time, without those who held a seat for too long; null where nobody is left of it. */
async function joinableGroup(
  tx: Tx,
  at: Time & { eventTypeId: EventTypeId },
  nowMs: number,
): Promise<Appointment | null> {
  const group = await holdGroup(tx, at);
  if (group === null) return null;
  await expireSeats(tx, group.id, nowMs);
  const { live } = await settleBlocks(tx, group.id);
  return live ? group : null;
}
