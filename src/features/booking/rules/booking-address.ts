import type { BookingLinkId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';

/** Where the token of a booking lives, sealed. */
export const bookingTokenPlace = (id: string) => ({ table: 'booking.bookings', row: id, column: 'token' });

/** Where the answer to an Idempotency-Key lives, sealed. */
export const answerPlace = (id: string) => ({ table: 'booking.answers', row: id, column: 'answer' });

/** Name of an event at providers, and before the @ of a uid: base32hex. */
export const eventKeyOf = (id: string) => sha256(`booking ${id}`).slice(0, 32);
export const uidOf = (id: string, domain = 'holdfast.invalid') => uidIn(eventKeyOf(id), domain);

/** UID of the event of that name, where its provider makes UIDs of its own or takes ours. */
export const uidIn = (eventKey: string, domain = 'holdfast.invalid') => `${eventKey}@${domain}`;

/** A UUID that follows from what it names. */
export function uuidOf(name: string): string {
  const hex = sha256(name);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Where a guest manages a booking. */
export const bookedUrl = (publicUrl: string, token: string) => `${publicUrl}/booked/${token}`;

/** Where the token of a link lives, sealed. */
export const linkPlace = (id: BookingLinkId) => ({ table: 'booking.links', row: id, column: 'token' });

/** Where a link leads. */
export const linkUrl = (publicUrl: string, token: string) => `${publicUrl}/l/${token}`;
