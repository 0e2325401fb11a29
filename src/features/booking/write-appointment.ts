import { loadOwnerZone } from '#features/accounts/public.ts';
import { capabilitiesOf, findCalendar, findConnectionById } from '#features/connections/public.ts';
import { writeFor } from '#features/edits/public.ts';
import type { AppointmentId, EditId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { appointmentEvent } from './rules/appointment-event.ts';
import { uuidOf } from './rules/booking-address.ts';
import { tellAnswers } from './rules/check-answers.ts';
import { holdAppointment, noteWrite } from './store/appointments.ts';
import { listOfAppointment } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { dropQuestions } from './store/questions.ts';

/**
 * Has the event of an appointment say who comes and when, or go where nobody is expected: an intent in the caller's
 * transaction, whose name follows from the appointment and the count of its writes. There is one event for each
 * appointment, whatever is repeated.
 */
export async function writeAppointment(app: App, tx: Tx, id: AppointmentId): Promise<void> {
  const appointment = await holdAppointment(tx, id);
  const { userId, calendarId, eventTypeId, itemId, eventKey, writes } = appointment;
  if (calendarId === null) return;
  const calendar = await findCalendar(tx, calendarId);
  const connection = calendar === null ? null : await findConnectionById(tx, calendar.connectionId);
  if (calendar === null || connection === null) return;
  const conference = capabilitiesOf(connection).conference === appointment.location.kind;
  const type = eventTypeId === null ? null : await findType(tx, eventTypeId);
  const comers = (await listOfAppointment(tx, id)).filter(({ state }) => state === 'confirmed');
  const body =
    comers.length === 0
      ? null
      : appointmentEvent({
          ...appointment,
          // the event has it from the provider
          joinUrl: conference ? null : appointment.joinUrl,
          zone: await loadOwnerZone(tx, userId),
          guestsAreTold: capabilitiesOf(connection).alwaysTellsGuests === true,
          comers: comers.map(({ guestName, guestEmail, guestPhone, answers, guests }) => ({
            name: guestName,
            email: guestEmail,
            phone: guestPhone,
            answers: tellAnswers(type?.settings.questions ?? [], answers),
            guests,
          })),
        });
  const written = await writeFor(
    app,
    tx,
    {
      userId,
      calendarId,
      connectionId: calendar.connectionId,
      itemId,
      editId: uuidOf(`appointment ${id} ${writes}`) as EditId,
      // a name that was used may be worn out: what is made anew has another
      key: itemId === null ? eventKey : sha256(`${eventKey} ${writes}`).slice(0, 32),
      title: appointment.title,
      conference,
      keepsNotes: conference && appointment.location.kind === 'teams',
    },
    body,
  );
  if (written !== null) await noteWrite(tx, id, written);
  // what stands as it should from now on is nobody's question
  await dropQuestions(tx, [id], ['moved', 'deleted', 'declined'], app.clock.nowMs());
}
