import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { listEventTypes } from './list-event-types.ts';
import { listLinks } from './list-links.ts';

type MeetingLink = Output<typeof bookingContract.listMeetingLinks>['links'][number];

/**
 * Every address at which somebody can be booked: of event types in their order, then the others, newest first. An
 * administrator in a person's place gets no secret addresses: they would stay usable afterwards.
 */
export async function listMeetingLinks(app: App, actor: Actor): Promise<MeetingLink[]> {
  const [types, links] = await Promise.all([
    listEventTypes(app, actor.userId),
    actor.impersonation === null ? listLinks(app, actor, undefined) : [],
  ]);
  const found = [...types.event_types, ...types.teams.flatMap((team) => team.event_types)];
  return [
    ...found.flatMap(({ id, title, url }) =>
      url === null
        ? []
        : [{ id, kind: 'event-type' as const, title, url, eventTypeId: id, accountId: null, calendarId: null }],
    ),
    ...links.map((link) => ({
      id: link.id,
      kind: link.kind,
      title: link.label === '' ? link.title : `${link.title}: ${link.label}`,
      url: link.url,
      eventTypeId: link.event_type_id,
      accountId: link.account_id,
      calendarId: link.calendar_id,
    })),
  ];
}
