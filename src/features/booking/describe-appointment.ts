import { loadOwner } from '#features/accounts/public.ts';
import type { Single } from '#kernel/event.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { listHostsOf } from './list-hosts-of.ts';
import { appointmentEvent } from './rules/appointment-event.ts';
import { tellAnswers } from './rules/check-answers.ts';
import { sayAnswers } from './say-answers.ts';
import type { Appointment } from './store/appointments.ts';
import type { Booking } from './store/bookings.ts';
import { wordsIn } from './words-in.ts';

/** Decisions about an event that are made when it is written. */
interface Standing {
  /** The event has where to join from its provider. */
  madeByProvider: boolean;
  comersUrl: string | null;
  invitesGuests: boolean;
}

/** The event of an appointment as it shall stand in the calendar of one of its hosts, with these who come. */
export async function describeAppointment(
  tx: Tx,
  appointment: Appointment,
  hostId: UserId,
  comers: readonly Booking[],
): Promise<(standing: Standing) => Single> {
  const { hostIds } = appointment;
  const others =
    hostIds.length < 2
      ? []
      : await listHostsOf(
          tx,
          hostIds.filter((one) => one !== hostId),
        );
  const { zone, locale, shownEmail } = await loadOwner(tx, hostId);
  const facts = {
    ...appointment,
    zone,
    translate: wordsIn(locale),
    hosts: others.map(({ name }) => name),
    comers: comers.map(({ guestName, guestEmail, guestPhone, asked, answers, guests }) => ({
      name: guestName,
      email: guestEmail,
      phone: guestPhone,
      answers: sayAnswers(tellAnswers(asked, answers), locale),
      guests,
    })),
  };
  return ({ madeByProvider, comersUrl, invitesGuests }) =>
    appointmentEvent({
      ...facts,
      comersUrl,
      // calendars tell guests the address of whose event it is
      invitesGuests: invitesGuests && shownEmail !== null,
      joinUrl: madeByProvider ? null : appointment.joinUrl,
    });
}
