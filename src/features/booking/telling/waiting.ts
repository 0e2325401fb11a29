import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { loadTold } from '../load-told.ts';
import { asFollowUp, guestMail, invitedMail } from '../mail.ts';
import { isSameVersion } from '../rules/who-is-told.ts';
import { sendTold } from '../send-told.ts';
import { lockBookings } from '../store/appointments.ts';
import { findBooking } from '../store/bookings.ts';
import { findKnown } from '../store/told-bookings.ts';
import { differenceOf, endOf, lostOf, mergeVersions, settingOf, tellingOf } from './mails.ts';
import { dropWaiting, listWaiting } from './store.ts';

/**
 * Tells readers who wait for a change of this booking what they do not know yet, as far as the limit has room by now. They
 * keep the version that they hold until then.
 */
export async function tellWaiting(app: App, id: BookingId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockBookings(tx, [id]);
    const booking = await findBooking(tx, id);
    const told = booking === null ? null : await loadTold({ ...app, db: tx }, booking);
    const now = told === null ? null : mergeVersions(told.versions);
    const waiting = await listWaiting(tx, id);
    const known = (await findKnown(tx, [id])).get(id);
    // a change that nobody was told of yet comes with its own mails
    if (known !== undefined && now !== null && !isSameVersion(known, now)) return;
    for (const [address, holds] of waiting) {
      const number = told?.guests.findIndex((one) => one.toLowerCase() === address) ?? -1;
      const telling = now === null ? null : tellingOf(holds, now);
      const seen = told &&
        telling && { ...told, ...differenceOf(told, holds, telling), lost: now && lostOf(holds, now) };
      const mail =
        seen === null || telling === null
          ? null
          : seen.guest.email.toLowerCase() === address
            ? telling.booker && guestMail(telling.booker, seen, settingOf(app))
            : number < 0
              ? null
              : telling.brought && invitedMail(telling.brought, seen, number, settingOf(app));
      if (told === null || now === null || mail === null) {
        await dropWaiting(tx, [id], [address]);
        continue;
      }
      await sendTold(app, tx, { id, userId: told.host.id }, [asFollowUp(mail, told)], {
        endOf: (one) => endOf(told, one, { known: holds, now }),
        held: [{ id, holds }],
        isRetry: true,
      });
    }
  });
}
