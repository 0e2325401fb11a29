import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { chooseTarget } from './choose-target.ts';
import { eventKeyOf } from './rules/booking-address.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { type Appointment, giveAppointment, loadAppointment } from './store/appointments.ts';
import { findType } from './store/event-type-rows.ts';

/** Has another host have an appointment in their calendar. The caller holds it, and says whose time it takes. */
export async function changeHost(
  app: App,
  tx: Tx,
  { id, eventTypeId, location, writes }: Appointment,
  { userId, turnOf }: { userId: UserId; turnOf: UserId | null },
): Promise<Appointment> {
  const type = eventTypeId === null ? null : await findType(tx, eventTypeId);
  const settings = { ...(type?.settings ?? defaultSettings('round-robin')), location };
  const { calendarId } = await chooseTarget(tx, { type: { settings }, link: null }, userId);
  await giveAppointment(tx, id, {
    userId,
    turnOf,
    calendarId,
    // a name of its own: the event of who had it may still stand under the other
    eventKey: eventKeyOf(`${id} ${writes} ${userId}`),
    nowMs: app.clock.nowMs(),
  });
  return loadAppointment(tx, id);
}
