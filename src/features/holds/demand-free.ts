import { listExpected } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import { overlaps, type Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';

/** Nobody keeps what is given away. *Errors*: AppError conflict (TAKEN). */
export async function demandFree(db: Database, userId: UserId, home: Span): Promise<void> {
  const [booked] = (await listExpected(db, userId, home)).filter((one) => overlaps(one, home));
  if (booked === undefined) return;
  const message = `“${booked.title}” is booked then. Nothing was changed; choose another time.`;
  throw new AppError('conflict', 'TAKEN', message);
}
