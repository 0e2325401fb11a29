import { AppError, httpStatusOf } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { isMovable } from '../is-movable.ts';
import { rescheduleBooked } from '../reschedule-booked.ts';
import { fillWords } from '../rules/fill-words.ts';
import { longestReason, type ShownMove } from '../rules/visit-data.ts';
import { readLoss, readNear } from '../rules/write-booking.ts';
import type { Booking } from '../store/bookings.ts';
import { findVisitedBooking, type VisitedBooking } from './find-visited-booking.ts';
import { type Attempt, chosenSlot, showBooking } from './show-booking.ts';

/** Where a guest chooses another time for what they have booked; sent, it is moved there. */
export async function visitMove(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisitedBooking(app, call);
  if ('answer' in visited) return visited.answer;
  const { token, booked, path } = visited;
  const [start, sequence] = [chosenSlot(call), Number(call.form.get('sequence'))];
  if (call.method === 'GET' || !Number.isInteger(start)) return choose(app, call, visited);
  try {
    const reason = call.form.get('reason')?.slice(0, longestReason);
    await rescheduleBooked(app, token, { start, duration: booked.duration, sequence, reason }, call.request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = readLoss(error);
    const attempt: Attempt = {
      typed: {},
      complaints: why !== null ? {} : { '': error.message },
      taken: why !== null ? readNear(error.fields ?? {}) : null,
      isOffered: why !== 'not-offered',
    };
    return choose(app, call, visited, { status: httpStatusOf[error.kind], attempt });
  }
  return { kind: 'go', to: path };
}

async function choose(
  app: App,
  call: PageCall,
  { booked, booking, offer, path, token, host, visitor }: VisitedBooking,
  again: { status?: number; attempt?: Attempt } = {},
): Promise<PageAnswer> {
  if (offer === null || !booked.can_change || !(await isMovable(app.db, booking, offer.type)))
    return { kind: 'go', to: path };
  const say = (key: string) => fillWords(visitor.words, key, { host: host.name });
  const asks = asksFor(booking, offer.type.settings);
  const effects = [asks && `move.asks.${asks}`, booked.series && 'move.series'];
  return showBooking(app, call, {
    found: offer,
    path: `${path}/reschedule`,
    api: `/api/booked/${token}`,
    moving: {
      startMinute: booked.start,
      durationMinutes: booked.duration,
      sequence: booked.sequence,
      backTo: path,
      api: `/api/booked/${token}/reschedule`,
      asks,
      effect: effects.flatMap((key) => (key === null ? [] : say(key))).join(' '),
      hint: say(booked.guests.length > 0 ? 'cancel.reason-hint-guests' : 'cancel.reason-hint'),
    },
    guestZone: booking.guestZone,
    without: booking.appointmentId,
    ...again,
  });
}

/** The state that a move gives up for the host's answer; null where nobody is asked. */
function asksFor({ state }: Booking, { confirmation }: { confirmation: boolean }): ShownMove['asks'] {
  if (state === 'confirmed') return confirmation ? 'confirmed' : null;
  return state === 'pending' || confirmation ? 'pending' : null;
}
