import { isFlagOn } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { checkAvailability } from './check-availability.ts';
import { calendarContract } from './contract.ts';
import { endFeeds } from './end-feeds.ts';
import { explainBusy } from './explain-busy.ts';
import { findFreeTimes } from './find-free-times.ts';
import { listCalendars } from './list-calendars.ts';
import { listEvents } from './list-events.ts';
import { listFeeds } from './list-feeds.ts';
import { listTeamBusy } from './list-team-busy.ts';
import { listWarnings } from './list-warnings.ts';
import { publishFeed } from './publish-feed.ts';
import { serveFeed } from './serve-feed.ts';

const published = async (app: App, actor: Actor, wanted = { addresses: false }) => ({
  available: await isFlagOn(app.db, 'published-feeds', actor.userId),
  feeds: await listFeeds(app, actor, wanted),
});

export const routes = bindRoutes(calendarContract, {
  listCalendars: async ({ app, actor }) => ({ calendars: await listCalendars(app, actor) }),
  listPublishedFeeds: ({ app, actor, input }) => published(app, actor, { addresses: input.query.addresses === '1' }),
  publishFeed: async ({ app, actor, input, request }) => {
    await publishFeed(app, actor, input.params.content, request);
    return published(app, actor, { addresses: true });
  },
  unpublishFeed: async ({ app, actor, input, request }) => {
    await inTransaction(app.db, (tx) => endFeeds(tx, actor.userId, input.params.content, request));
    return published(app, actor);
  },
  freeTimes: ({ app, actor, input }) => findFreeTimes(app, actor, input.body),
  checkAvailability: ({ app, actor, input }) => checkAvailability(app, actor, input.query),
  explainBusy: ({ app, actor, input }) => explainBusy(app, actor, input.query),
  teamBusy: ({ app, actor, input }) => listTeamBusy(app, actor, input.params.teamId, input.query),
  listWarnings: ({ app, actor, input }) => listWarnings(app, actor, input.params.calendarId),
  listEvents: ({ app, actor, input }) => listEvents(app, actor, input.query),
});

export const rawRoutes: readonly RawRoute[] = [{ method: 'GET', path: '/feeds/{file}', handle: serveFeed }];
