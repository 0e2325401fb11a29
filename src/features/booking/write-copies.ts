import { findCalendar, findConnectionOf } from '#features/connections/public.ts';
import { writeFor } from '#features/edits/public.ts';
import type { Single } from '#kernel/event.ts';
import type { AppointmentId, EditId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { chooseTarget, noTarget } from './choose-target.ts';
import { describeAppointment } from './describe-appointment.ts';
import { bookingsTopic } from './events.ts';
import { uuidOf } from './rules/booking-address.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { type Appointment, holdAppointment } from './store/appointments.ts';
import { listOfAppointment } from './store/bookings.ts';
import { dropCopy, keepCopy, listCopyHolders, noteCopy } from './store/copies.ts';
import { dropQuestions } from './store/questions.ts';

/**
 * Updates the copies of an appointment: every other host's calendar gets its current state, and former hosts lose
 * theirs. The result depends only on the state, so repeated calls are harmless. People are handled one after the other,
 * so that no writer waits for another. A host's own changes to a copy are followed as those to the first event are.
 */
export async function writeCopies(app: App, id: AppointmentId): Promise<void> {
  for (const hostId of await listCopyHolders(app.db, id)) {
    await inTransaction(app.db, async (tx) => {
      await writeCopy(app, tx, await holdAppointment(tx, id), hostId);
      await app.feed.publish(tx, hostId, bookingsTopic);
    });
  }
}

/** Updates the copy of one host. The caller holds the appointment. */
export async function writeCopy(app: App, tx: Tx, appointment: Appointment, hostId: UserId): Promise<void> {
  const { id, title, location } = appointment;
  if (appointment.userId === hostId) return;
  const takesPart = appointment.hostIds.includes(hostId);
  const settings = { ...defaultSettings('collective'), location };
  const target = takesPart ? await chooseTarget(tx, { type: { settings }, link: null }, hostId) : noTarget;
  const copy = await keepCopy(tx, id, hostId, target.calendarId);
  const [calendar, connection] =
    copy.calendarId === null
      ? [null, null]
      : await Promise.all([findCalendar(tx, copy.calendarId), findConnectionOf(tx, copy.calendarId)]);
  if (calendar === null || connection === null) {
    if (!takesPart) await dropCopy(tx, id, hostId);
    return;
  }
  const comers = takesPart ? (await listOfAppointment(tx, id)).filter(({ state }) => state === 'confirmed') : [];
  const body = comers.length === 0 ? null : (await describeAppointment(tx, appointment, hostId, comers))(copyFacts);
  const says = digestOf(body);
  if (says === copy.says && (body === null) === (copy.itemId === null)) return;
  const name = `copy ${id} ${hostId} ${copy.writes}`;
  const event = {
    userId: hostId,
    calendarId: calendar.id,
    connectionId: connection.id,
    itemId: copy.itemId,
    editId: uuidOf(name) as EditId,
    key: sha256(name).slice(0, 32),
    title,
  };
  const written = await writeFor(app, tx, event, body === null ? null : { anew: body, over: body });
  // questions about the copy end once it is written as wanted
  await dropQuestions(tx, hostId, [id], ['moved', 'deleted', 'declined'], app.clock.nowMs());
  if (takesPart) await noteCopy(tx, appointment, { hostId, itemId: body === null ? null : written, says });
  else await dropCopy(tx, id, hostId);
}

/** only the first of several events invites the guests and makes the meeting */
const copyFacts = { madeByProvider: false, comersUrl: null, invitesGuests: false };

const digestOf = (body: Single | null) => (body === null ? '' : sha256(JSON.stringify(body)).slice(0, 32));
