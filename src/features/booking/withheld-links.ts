import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { type LoadedBooking, loadTold } from './load-told.ts';
import { guestMail } from './mail.ts';
import { isLinkWithheld, withoutFreeText } from './mail-facts.ts';
import { sendTold } from './send-told.ts';
import { type Booking, findBooking, listAtLinks } from './store/bookings.ts';
import { listLapsed } from './store/lapsed-invitations.ts';
import { noteLinkTold } from './store/meeting-links.ts';
import { noteOrganizer } from './store/told-bookings.ts';

/** A guest has at most a few dozen: five series of ten dates. */
const mostAtOnce = 60;

/**
 * Invitations of this guest that have no link, as the address is unproved. Dates of a series are one invitation.
 * Asked before the address is marked as proved.
 */
export async function findWithheldLinks(app: App, tx: Tx, booking: Booking): Promise<LoadedBooking[]> {
  const all = await listAtLinks(tx, booking, { nowMs: app.clock.nowMs(), limit: mostAtOnce });
  const found: LoadedBooking[] = [];
  for (const [first, ...more] of Map.groupBy(all, ({ id, seriesId }) => seriesId ?? id).values()) {
    const told = first && (await loadTogether(app, tx, first, [first, ...more]));
    if (told?.unproved.includes(told.guest.email) && isLinkWithheld(withoutFreeText(told))) found.push(told);
  }
  return found;
}

/** Sends these invitations again with their links, once the address is proved. Other guests of the booking get no mail. */
export async function sendWithheldLinks(app: App, tx: Tx, found: readonly LoadedBooking[]): Promise<void> {
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs: app.clock.nowMs() };
  for (const { id, ids } of found) {
    const booking = await findBooking(tx, id);
    const told =
      booking &&
      (await loadTogether(
        app,
        tx,
        booking,
        ids.map((one) => ({ id: one })),
      ));
    if (told === null || told.unproved.includes(told.guest.email)) continue;
    const isLapsed = (await listLapsed(tx, id)).has(told.guest.email.toLowerCase());
    const linked = { ...told, calendar: { method: 'invite' }, toldAs: `${told.toldAs}:proved` } as const;
    await noteLinkTold(tx, told.ids);
    await noteOrganizer(tx, told.ids, told.organizer);
    await sendTold(app, tx, { id, userId: told.host.id }, [
      guestMail(isLapsed ? 'confirmed' : 'linked', linked, setting),
    ]);
  }
}

const loadTogether = (app: App, tx: Tx, booking: Booking, all: readonly Pick<Booking, 'id'>[]) =>
  loadTold(
    { ...app, db: tx },
    booking,
    booking.seriesId === null ? {} : { together: new Set(all.map(({ id }) => id)) },
  );
