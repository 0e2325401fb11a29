import { AppError } from '#kernel/errors.ts';
import { initialsOf } from '#kernel/text/trim-text.ts';
import type { App } from '#platform/app.ts';
import { homeOf } from '#platform/brand.ts';
import type { Database } from '#platform/db.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findBooked } from '../find-booked.ts';
import type { PublicType } from '../find-public-type.ts';
import { joinHosts } from '../join-hosts.ts';
import { listHostsOf } from '../list-hosts-of.ts';
import type { Booked } from '../rules/booked-shape.ts';
import { isKnownGuest } from '../rules/booking-states.ts';
import type { BookedData, ShownHost } from '../rules/visit-data.ts';
import { showBooked } from '../show-booked.ts';
import { loadAppointment } from '../store/appointments.ts';
import type { Booking } from '../store/bookings.ts';
import { findType } from '../store/event-type-rows.ts';
import { findHandleOfType } from '../store/handles.ts';
import { findKnown } from '../store/told-bookings.ts';
import { readVisitor, type Visitor } from './read-visitor.ts';
import { showNotice } from './show-notice.ts';

export interface VisitedBooking {
  /** `/booked/{token}` */
  path: string;
  token: string;
  booking: Booking;
  booked: Booked;
  visitor: Visitor;
  host: ShownHost;
  contact: BookedData['contact'];
  /** Event type of the booking, also if it is paused, hidden or secret; null once it is deleted. */
  offer: PublicType | null;
}

/** The booking that an address leads to; a page that says so where it leads to none. */
export async function findVisitedBooking(app: App, call: PageCall): Promise<VisitedBooking | { answer: PageAnswer }> {
  const { token = '' } = call.params;
  try {
    const booking = await findBooked(app.db, token);
    const type = booking.eventTypeId === null ? null : await findType(app.db, booking.eventTypeId);
    const visitor = readVisitor(call, {
      zone: booking.guestZone,
      language: type?.settings.language ?? null,
      lastLanguage: booking.language,
      nowMs: app.clock.nowMs(),
    });
    const booked = await showBooked(app, app.db, booking, null, visitor.language);
    const handle = type === null ? null : await findHandleOfType(app.db, type.id);
    const offer = type === null ? null : await joinHosts(app.db, type, { handle, link: null });
    const { hostIds } = await loadAppointment(app.db, booking.appointmentId);
    const hosts = await listHostsOf(app.db, hostIds);
    const [host] = hosts;
    const address = hosts.find(({ shownEmail }) => shownEmail !== null)?.shownEmail ?? null;
    const path = handle === null ? null : `/${handle}`;
    return {
      path: `/booked/${token}`,
      visitor,
      token,
      booking,
      booked,
      contact:
        host === undefined || booking.state === 'held'
          ? null
          : address === null || !(await hasReachedHost(app.db, booking))
            ? app.config.canMail
              ? { kind: 'form', to: `/booked/${token}/message` }
              : null
            : { kind: 'address', address },
      host: { name: booked.host, initials: initialsOf(booked.host), avatarUrl: host?.avatarUrl ?? null, path },
      offer,
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not-found') throw error;
    return { answer: showNotice(call, 'nobody', { status: 404, home: homeOf(app.brand.current()) }) };
  }
}

/** Its host heard of it: a booking that ended before its guest confirmed the address never reached them. */
const hasReachedHost = async (db: Database, { id, state }: Booking): Promise<boolean> =>
  state === 'cancelled' || state === 'expired' ? (await findKnown(db, [id])).has(id) : isKnownGuest(state);
