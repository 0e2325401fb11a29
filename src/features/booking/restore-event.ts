import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { noteChange } from './note-change.ts';
import { type Appointment, countRestores } from './store/appointments.ts';
import { listOfAppointment } from './store/bookings.ts';
import { writeAppointment } from './write-appointment.ts';

/** Writes the event of an appointment back to where it should stand. The caller holds it. */
export async function restoreEvent(app: App, tx: Tx, { id }: Appointment, actor: 'calendar' | 'host'): Promise<void> {
  await countRestores(tx, id, actor);
  await writeAppointment(app, tx, id);
  for (const booking of await listOfAppointment(tx, id))
    await noteChange(app, tx, booking, { what: 'restored', actor });
}
