import { listMembersWhoMay } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { linkPlace, linkUrl } from './rules/booking-address.ts';
import { findType } from './store/event-type-rows.ts';
import { listLinksOfType, listTitlesOfLinked, listLinks as loadLinks, type OwnLink } from './store/links.ts';

export type LinkView = Output<typeof bookingContract.listBookingLinks>['links'][number];

/**
 * Links of the caller, newest first; of one event type where it is given. The links of a team's event type are those of
 * everybody in the team, for members who may change it.
 */
export async function listLinks(
  app: App,
  { userId }: Actor,
  eventTypeId: EventTypeId | undefined,
): Promise<LinkView[]> {
  const type = eventTypeId === undefined ? null : await findType(app.db, eventTypeId);
  if (type !== null && type.teamId !== null) {
    const managers = await listMembersWhoMay(app.db, type.teamId, 'manage-event-types');
    if (!managers.includes(userId)) return [];
    return (await listLinksOfType(app.db, type.id)).map((link) => toLinkView(app, link, type.title));
  }
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
