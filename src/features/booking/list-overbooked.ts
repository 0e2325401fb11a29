import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { listOverbooked as listRows } from './store/questions.ts';

const most = 200;

/** Events of a person's own making, by their ids, over which something of theirs was booked. */
export async function listOverbooked(
  app: Pick<App, 'db' | 'clock'>,
  userId: UserId,
): Promise<
  {
    event_id: string;
    booking_id: BookingId;
    title: string;
    guests: string[];
    start_time: number;
    end_time: number;
  }[]
> {
  const rows = await listRows(app.db, userId, { nowMs: app.clock.nowMs(), limit: most });
  return rows.map(({ subject, bookingId, bookedTitle, guests, bookedStartMs, bookedEndMs }) => ({
    event_id: subject.replace(' ', '_'),
    booking_id: bookingId,
    title: bookedTitle,
    guests,
    start_time: bookedStartMs,
    end_time: bookedEndMs,
  }));
}
