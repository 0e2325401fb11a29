import { capabilitiesOf, findCalendar, findConnectionOf, makesConference } from '#features/connections/public.ts';
import { writeFor } from '#features/edits/public.ts';
import type { AppointmentId, EditId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { describeAppointment } from './describe-appointment.ts';
import { uidIn, uuidOf } from './rules/booking-address.ts';
import { holdAppointment, noteWrite } from './store/appointments.ts';
import { listOfAppointment } from './store/bookings.ts';
import { dropQuestions } from './store/questions.ts';

/**
 * Has the event of an appointment say who comes and when, or go where nobody is expected: an intent in the caller's
 * transaction, whose name follows from the appointment and the count of its writes. There is one event for each
 * appointment, whatever is repeated.
 */
export async function writeAppointment(app: App, tx: Tx, id: AppointmentId): Promise<void> {
  const appointment = await holdAppointment(tx, id);
  const { userId, calendarId, itemId, eventKey, writes } = appointment;
  if (calendarId === null) return;
  const [calendar, connection] = await Promise.all([findCalendar(tx, calendarId), findConnectionOf(tx, calendarId)]);
  if (calendar === null || connection === null) return;
  const { alwaysTellsGuests = false, uidDomain } = capabilitiesOf(connection);
  const conference = makesConference(calendar, connection, appointment.location.kind);
  const comers = (await listOfAppointment(tx, id)).filter(({ state }) => state === 'confirmed');
  const isOfOne = appointment.seats === 1 && comers.every(({ seriesId }) => seriesId === null);
  // the provider wrote the meeting's details into the text, so it is never rewritten
  const keepsNotes = conference && appointment.location.kind === 'teams';
  const [one] = comers;
  const comersUrl =
    keepsNotes && appointment.seats > 1 && one !== undefined
      ? `${app.config.publicUrl}/meetings?booking=${one.id}`
      : null;
  const standing = (key: string) => ({
    madeByProvider: conference,
    comersUrl,
    // not where a guest's calendar would show event and invitation as two, or a group's guests see who else comes
    invitesGuests: !alwaysTellsGuests && isOfOne && comers.every(({ uid }) => uid === uidIn(key, uidDomain)),
  });
  // a used name may be refused: a new event has another
  const newKey = itemId === null ? eventKey : sha256(`${eventKey} ${writes}`).slice(0, 32);
  const write = await describeAppointment(tx, appointment, userId, comers);
  const written = await writeFor(
    app,
    tx,
    {
      userId,
      calendarId,
      connectionId: calendar.connectionId,
      itemId,
      editId: uuidOf(`appointment ${id} ${writes}`) as EditId,
      key: newKey,
      title: appointment.title,
      conference,
      keepsNotes,
    },
    comers.length === 0 ? null : { anew: write(standing(newKey)), over: write(standing(eventKey)) },
  );
  if (written !== null) await noteWrite(tx, id, { itemId: written, eventKey: written === itemId ? eventKey : newKey });
  // questions about the event end once it is written as wanted
  await dropQuestions(tx, userId, [id], ['moved', 'deleted', 'declined'], app.clock.nowMs());
}
