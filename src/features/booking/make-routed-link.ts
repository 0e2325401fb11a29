import { randomUUIDv7 } from 'node:crypto';
import type { BookingLinkId, EventTypeId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { Tx } from '#platform/db.ts';
import { linkPlace } from './rules/booking-address.ts';
import { insertRouted, type Led } from './store/routed-links.ts';

/** So long somebody may think about a time. */
const openMs = 30 * dayMs;

/** A link for one booking of somebody whom a form led to an event type; its path is told once. */
export async function makeRoutedLink(
  { keyring, clock }: Pick<App, 'keyring' | 'clock'>,
  tx: Tx,
  { eventTypeId, ...led }: Led & { eventTypeId: EventTypeId },
): Promise<{ linkId: BookingLinkId; path: string }> {
  const linkId = randomUUIDv7() as BookingLinkId;
  const token = mintToken();
  await insertRouted(tx, {
    id: linkId,
    eventTypeId,
    ...led,
    token: keyring.seal(token, linkPlace(linkId)),
    tokenHash: hashToken(token),
    expiresMs: clock.nowMs() + openMs,
  });
  return { linkId, path: `/l/${token}` };
}
