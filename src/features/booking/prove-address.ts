import { createHmac } from 'node:crypto';
import type { App } from '#platform/app.ts';
import { isSameSecret } from '#platform/crypto.ts';
import type { Booking } from './store/bookings.ts';

type Proved = Pick<Booking, 'id' | 'guestEmail'>;

/** Secret that only a booking's mail to its guest carries: somebody who knows it reads that address. */
export const proofOf = ({ keyring }: Pick<App, 'keyring'>, { id, guestEmail }: Proved): string =>
  createHmac('sha256', keyring.derive('booking address proofs')).update(`${id} ${guestEmail}`).digest('base64url');

export const isProof = (app: Pick<App, 'keyring'>, booking: Proved, given: string): boolean =>
  booking.guestEmail !== '' && isSameSecret(proofOf(app, booking), given);
