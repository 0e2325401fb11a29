import { findHost, type Host, hostReading } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { readTogether } from '#platform/reading.ts';
import { type EventType, findType, typeAtReading } from './store/event-type-rows.ts';
import { findHandleOf, ownerOf } from './store/handles.ts';
import { type BookingLink, findLink } from './store/links.ts';

/** Where a guest came in. */
export type PublicAddress = { handle: string; slug: string } | { token: string };

export interface PublicType {
  host: Host;
  /** The one in use, which need not be the one that was asked for; null where the host has none. */
  handle: string | null;
  type: EventType;
  /** The link that led here: what it says of times, calendar and uses holds beside the type's settings. */
  link: BookingLink | null;
}

/**
 * What can be booked at an address, for who has nothing but that address. Null for everything that is not there for
 * them: unknown, secret, deleted, used up, expired, of somebody who is leaving or has not proved their address.
 */
export async function findPublicType(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  address: PublicAddress,
): Promise<PublicType | null> {
  return 'token' in address ? findByToken(db, address.token, clock.nowMs()) : findByName(db, address);
}

/** One query. */
async function findByName(db: App['db'], written: { handle: string; slug: string }): Promise<PublicType | null> {
  const handle = written.handle.toLowerCase();
  const [found, host] = await readTogether(db, [
    typeAtReading(handle, written.slug.toLowerCase()),
    hostReading(ownerOf(handle)),
  ]);
  return found === null || found.type.secret || host === null ? null : { ...found, host, link: null };
}

async function findByToken(db: App['db'], token: string, nowMs: number): Promise<PublicType | null> {
  const link = await findLink(db, hashToken(token));
  if (link === null || link.usesLeft === 0 || (link.expiresMs !== null && link.expiresMs <= nowMs)) return null;
  const type = await findType(db, link.eventTypeId);
  const host = type === null ? null : await findHost(db, type.userId);
  return type === null || host === null ? null : { type, host, handle: await findHandleOf(db, link.userId), link };
}
