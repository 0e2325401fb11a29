import type { AppointmentId, BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTurn } from '#platform/in-turn.ts';
import { demandSlot } from './demand-slot.ts';
import type { PublicType } from './find-public-type.ts';
import { everyHost } from './rules/type-hosts.ts';
import { needsLock, type Time } from './rules/wanted-time.ts';
import { findHold } from './store/bookings.ts';

/** All that what is offered at a place follows from. */
export const offerKey = ({ type, link }: PublicType) =>
  [type.id, type.version, link?.id, type.teamId === null ? '' : JSON.stringify(type.hosts)].join(' ');

export const slotKey = (offer: PublicType, { startMs, endMs }: Time) => `${offerKey(offer)} ${startMs} ${endMs}`;

/** The time that a hold keeps is not in its own way; of a group it is one seat, and the others' stay taken. */
export const ownHold = ({ type }: PublicType, hold: { id: BookingId; appointmentId: AppointmentId }) =>
  type.settings.seats > 1 ? { withoutHold: hold.id } : { without: hold.appointmentId };

/**
 * Takes a time when those have had their turn who came first: of many at once, all who come too late are told so by one
 * look. `holdId`: theirs, whose time is not in their own way.
 * *Errors*: AppError conflict (SLOT_TAKEN, NOT_BOOKABLE), and those of `take`.
 */
export async function takeTurn<T>(
  app: App,
  offer: PublicType,
  time: Time,
  holdId: string | null,
  take: () => Promise<T>,
): Promise<T> {
  const { type } = offer;
  const demandFree = async () => {
    const held = holdId === null ? null : { id: holdId, eventTypeId: type.id, ...time, nowMs: app.clock.nowMs() };
    const hold = held === null ? null : await findHold(app.db, held);
    await demandSlot(app, app.db, offer, time, hold === null ? {} : ownHold(offer, hold));
  };
  const act = needsLock(offer) || type.teamId !== null ? () => underLock(app, everyHost(type), take) : take;
  return inTurn(app, `take ${slotKey(offer, time)} ${holdId ?? ''}`, demandFree, act);
}

/**
 * Moves a booking when those have had their turn who came first. A move that is asked for again, because its answer was
 * lost, is answered with the booking as it was moved.
 * *Errors*: AppError conflict (CHANGED_MEANWHILE), and those of `act`.
 */
export function moveInTurn(
  app: App,
  booking: Booking,
  appointment: Appointment,
  move: Move,
  act: () => Promise<Booking>,
): Promise<Booking> {
  const demandUnmoved = () => demandAsSeen(app.db, booking, move);
  const moveNow = () => underLock(app, [appointment.userId], act);
  return inTurn(app, `move ${booking.id} ${move.sequence}`, demandUnmoved, moveNow).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CHANGED_MEANWHILE') throw error;
    const moved = await findMoved(app.db, booking.id, move, move.duration ?? minutesOf(appointment));
    if (moved === null) throw error;
    return moved;
  });
}

/** The booking, where its one change since its mover saw it is this move. */
async function findMoved(db: Database, id: BookingId, move: Move, duration: number): Promise<Booking | null> {
  const now = await findBooking(db, id);
  if (now === null || now.sequence !== move.sequence + 1 || !isChangeable(now.state)) return null;
  const appointment = await loadAppointment(db, now.appointmentId);
  return appointment.startMs === move.start * 60_000 && minutesOf(appointment) === duration ? now : null;
}

/** Under the locks of hosts they would wait for each other whatever time they want, each on a connection. */
export const underLock = <T>(app: App, hostIds: UserId[], act: () => Promise<T>) =>
  inTurn(app, `hosts ${hostIds.toSorted().join()}`, null, act);
