import { makeRoutedLink } from '#features/booking/public.ts';
import type { BookingLinkId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { KeptDecision } from './rules/kept-decision.ts';

/** Where an action leads to an event type, the link at which its guest books; null where it does not. */
export async function makeWay(
  app: Pick<App, 'keyring' | 'clock'>,
  tx: Tx,
  { action, hostIds }: Pick<KeptDecision, 'action' | 'hostIds'>,
): Promise<{ linkId: BookingLinkId; path: string } | null> {
  if (action?.kind !== 'event-type') return null;
  const { event_type_id: eventTypeId, contact_owner_first: ownerFirst } = action;
  return makeRoutedLink(app, tx, { eventTypeId, hostIds, ownerFirst });
}
