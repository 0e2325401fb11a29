import { type Host, hasPageReading, hostReading } from '#features/accounts/public.ts';
import type { Team } from '#features/teams/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import { joinReadings, type Reading, readTogether } from '#platform/reading.ts';
import { Recall } from '#platform/recall.ts';
import { joinHosts } from './join-hosts.ts';
import { narrowType } from './rules/narrow-type.ts';
import { type EventType, findType, type TypeAt, typeAtReading, typeStandsReading } from './store/event-type-rows.ts';
import { findHandleOfType, ownerOf } from './store/handles.ts';
import { type BookingLink, findLink } from './store/links.ts';

/** Where a guest came in. */
export type PublicAddress = { handle: string; slug: string } | { token: string };

export interface PublicType {
  /** The host; for a team the first host, whose zone its hours use. */
  host: Host;
  team: (Team & { hosts: readonly Host[] }) | null;
  /** The one in use, which need not be the one that was asked for; null where its owner has none. */
  handle: string | null;
  type: EventType;
  /** The link that led here: what it says of times, calendar and uses holds beside the type's settings. */
  link: BookingLink | null;
}

/**
 * Finds the event type at an address for a visitor who knows only that address. Null if it is unknown, secret, deleted,
 * used up or expired. Null also if the owner's account is being deleted or its address is unverified.
 */
export async function findPublicType(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  address: PublicAddress,
): Promise<PublicType | null> {
  return 'token' in address ? findByToken(db, address.token, clock.nowMs()) : findByName(db, address);
}

/** Event types of people only: a team's row does not tell its hosts. */
const recalled = new Recall<Pick<TypeAt, 'type' | 'mark'> & { userId: UserId }>(8_000_000);

const keyOf = ({ handle, slug }: { handle: string; slug: string }) => `${handle}/${slug}`.toLowerCase();

/**
 * Returns the cached event type of an address by name, with a query that verifies it: one round trip instead of two.
 * Null if it is not cached.
 */
export function recallPublicType(address: {
  handle: string;
  slug: string;
}): { found: Pick<PublicType, 'type' | 'link'>; stands: Reading<boolean> } | null {
  const at = recalled.get(keyOf(address));
  if (at === undefined) return null;
  const both = [typeStandsReading(address.handle.toLowerCase(), at), hasPageReading(at.userId)] as const;
  return {
    found: { type: at.type, link: null },
    stands: joinReadings(both, ([stands, hasPage]) => stands && hasPage),
  };
}

/** One query; of a team two. */
async function findByName(db: Database, written: { handle: string; slug: string }): Promise<PublicType | null> {
  const handle = written.handle.toLowerCase();
  const [at, host] = await readTogether(db, [
    typeAtReading(handle, written.slug.toLowerCase()),
    hostReading(ownerOf(handle)),
  ]);
  const { type = null, handle: inUse = null, mark = '' } = at ?? {};
  if (type !== null && type.teamId !== null && !type.secret) return joinHosts(db, type, { handle: inUse, link: null });
  if (type === null || type.userId === null || type.secret || host === null) {
    recalled.delete(keyOf(written));
    return null;
  }
  // under a former name it is asked for each time: another event type may have taken the name
  if (type.slug === written.slug.toLowerCase()) recalled.set(keyOf(written), { type, mark, userId: type.userId });
  return { type, handle: inUse, host, team: null, link: null };
}

async function findByToken(db: Database, token: string, nowMs: number): Promise<PublicType | null> {
  const link = await findLink(db, hashToken(token));
  if (link === null || link.usesLeft === 0 || (link.expiresMs !== null && link.expiresMs <= nowMs)) return null;
  const type = await findType(db, link.eventTypeId);
  return type === null
    ? null
    : joinHosts(db, narrowType(type, link), { handle: await findHandleOfType(db, type.id), link });
}
