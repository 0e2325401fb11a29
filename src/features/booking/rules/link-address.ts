import type { BookingLinkId } from '#kernel/ids.ts';

/** Where the token of a link lives, sealed. */
export const linkPlace = (id: BookingLinkId) => ({ table: 'booking.links', row: id, column: 'token' });

/** Where a link leads. */
export const linkUrl = (publicUrl: string, token: string) => `${publicUrl}/l/${token}`;
