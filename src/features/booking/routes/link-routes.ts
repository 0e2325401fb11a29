import { bindRoutes } from '#platform/routes.ts';
import { createLink } from '../create-link.ts';
import { deleteLink } from '../delete-link.ts';
import { listLinks } from '../list-links.ts';
import { listMeetingLinks } from '../list-meeting-links.ts';
import { linkEndpoints } from '../rules/link-endpoints.ts';

export const linkRoutes = bindRoutes(linkEndpoints, {
  listMeetingLinks: async ({ app, actor }) => ({ links: await listMeetingLinks(app, actor) }),
  listBookingLinks: async ({ app, actor, input }) => ({
    links: await listLinks(app, actor, input.query.event_type_id),
  }),
  createBookingLink: async ({ app, actor, input }) => ({ link: await createLink(app, actor, input.body) }),
  deleteBookingLink: ({ app, actor, input }) => deleteLink(app, actor, input.params.id),
});
