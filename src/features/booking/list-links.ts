import type { Output } from '#kernel/contract.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { linkPlace, linkUrl } from './rules/link-address.ts';
import { listTitlesOfLinked, listLinks as loadLinks, type OwnLink } from './store/links.ts';

export type LinkView = Output<typeof bookingContract.listBookingLinks>['links'][number];

/** Links of the caller, newest first; of one event type where it is given. Two queries. */
export async function listLinks(
  app: App,
  { userId }: Actor,
  eventTypeId: EventTypeId | undefined,
): Promise<LinkView[]> {
  const [links, found] = await Promise.all([
    loadLinks(app.db, userId, eventTypeId ?? null),
    listTitlesOfLinked(app.db, userId),
  ]);
  return links.map((link) => toLinkView(app, link, found.get(link.eventTypeId) ?? ''));
}

export function toLinkView(
  { config, keyring }: Pick<App, 'config' | 'keyring'>,
  link: OwnLink,
  title: string,
): LinkView {
  return {
    id: link.id,
    event_type_id: link.eventTypeId,
    title,
    kind: link.kind,
    label: link.label,
    url: linkUrl(config.publicUrl, keyring.open(link.token, linkPlace(link.id))),
    account_id: link.connectionId,
    calendar_id: link.calendarId,
    starts: link.starts,
    duration_minutes: link.durationMinutes,
    uses_left: link.usesLeft,
    expires_at: link.expiresMs,
    created_at: link.createdMs,
  };
}
