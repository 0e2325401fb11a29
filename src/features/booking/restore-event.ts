import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { noteChange } from './note-change.ts';
import { type Appointment, countRestores, holdAppointment } from './store/appointments.ts';
import { listOfAppointment } from './store/bookings.ts';
import { renewCopy } from './store/copies.ts';
import { writeAppointment } from './write-appointment.ts';
import { writeCopy } from './write-copies.ts';

/** Writes the event of a host back to where it should stand. The caller holds the appointment. */
export async function restoreEvent(
  app: App,
  tx: Tx,
  { id, userId, hostId }: Pick<Appointment, 'id' | 'userId'> & { hostId: UserId },
  actor: 'calendar' | 'host',
): Promise<void> {
  if (hostId === userId) {
    await countRestores(tx, id, actor);
    await writeAppointment(app, tx, id);
  } else {
    await renewCopy(tx, id, hostId, actor);
    await writeCopy(app, tx, await holdAppointment(tx, id), hostId);
  }
  for (const booking of await listOfAppointment(tx, id))
    await noteChange(app, tx, booking, { what: 'restored', actor });
}
