import { createHmac } from 'node:crypto';
import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { isSameSecret } from '#platform/crypto.ts';

/**
 * Addresses by which brought guests decline. The token names a booking and carries an HMAC of the booking and the address of the
 * guest, so that nothing is stored. It declines for that address, any date of the booking's series, and does nothing else.
 */

type Keys = Pick<App, 'keyring'>;

const idBytes = 16;
const signatureBytes = 24;

const sign = ({ keyring }: Keys, id: BookingId, address: string) =>
  createHmac('sha256', keyring.derive('booking brought guests'))
    .update(`${id} ${address}`)
    .digest()
    .subarray(0, signatureBytes);

/** `ofDate`: the page opens with the date of the token's booking alone selected. */
export const declinePath = (token: string, { ofDate = false }: { ofDate?: boolean } = {}) =>
  `/invite/${token}${ofDate ? '?date=this' : ''}`;

export function writeInviteToken(app: Keys, id: BookingId, address: string): string {
  const named = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([named, sign(app, id, address)]).toString('base64url');
}

/** The booking that a token names, and whether it is the token of an address; null for a text that is no token. */
export function readInviteToken(
  app: Keys,
  token: string,
): { id: BookingId; isOf: (address: string) => boolean } | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== idBytes + signatureBytes || bytes.toString('base64url') !== token) return null;
  const id = bytes
    .subarray(0, idBytes)
    .toString('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5') as BookingId;
  const given = bytes.subarray(idBytes).toString('hex');
  return { id, isOf: (address) => isSameSecret(sign(app, id, address).toString('hex'), given) };
}
