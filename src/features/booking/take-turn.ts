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

/** Under the locks of hosts they would wait for each other whatever time they want, each on a connection. */
export const underLock = <T>(app: App, hostIds: UserId[], act: () => Promise<T>) =>
  inTurn(app, `hosts ${hostIds.toSorted().join()}`, null, act);
