import { createHmac } from 'node:crypto';
import type { App } from '#platform/app.ts';
import type { Booking } from './store/bookings.ts';

/** Secret that only a booking's mail to its guest carries: somebody who knows it reads that address. */
export function writeProof(
  { keyring }: Pick<App, 'keyring'>,
  { id, guestEmail }: Pick<Booking, 'id' | 'guestEmail'>,
): string {
  return createHmac('sha256', keyring.derive('booking address proofs'))
    .update(`${id} ${guestEmail}`)
    .digest('base64url');
}
