import type { App } from '#platform/app.ts';
import { isSameSecret } from '#platform/crypto.ts';
import type { Booking } from './store/bookings.ts';
import { writeProof } from './write-proof.ts';

/** Whether this is the secret of a booking's mail. */
export function isProof(
  app: Pick<App, 'keyring'>,
  booking: Pick<Booking, 'id' | 'guestEmail'>,
  given: string,
): boolean {
  return booking.guestEmail !== '' && isSameSecret(writeProof(app, booking), given);
}
