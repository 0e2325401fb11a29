import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { caldavProfiles as profiles } from '#providers/registry.ts';
import { connectCaldav } from './connect-caldav.ts';
import { connectFeed } from './connect-feed.ts';
import { caldavProfiles, connectionsContract } from './contract.ts';
import { disconnect } from './disconnect.ts';
import { finishOAuth } from './finish-oauth.ts';
import { calendarView, listAccounts } from './list-accounts.ts';
import { reconnect } from './reconnect.ts';
import { startOAuth } from './start-oauth.ts';
import { listCalendars, updateCalendar } from './store/calendars.ts';

async function loadAccount(app: App, actor: Actor, accountId: string) {
  const account = (await listAccounts(app, actor)).find((one) => one.accountId === accountId);
  if (account === undefined) throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  return { account };
}

export const routes = bindRoutes(connectionsContract, {
  listProviders: () => ({
    providers: caldavProfiles.map((name) => {
      const { provider, label, color, baseUrl, urlLabel, usernameLabel, passwordLabel, help, helpUrl } = profiles[name];
      return {
        profile: name,
        provider,
        label,
        color,
        url: baseUrl,
        urlLabel,
        usernameLabel,
        passwordLabel,
        help,
        helpUrl,
      };
    }),
  }),
  listAccounts: async ({ app, actor }) => ({ accounts: await listAccounts(app, actor) }),
  listIntegrationCalendars: async ({ app, actor }) => ({
    calendars: (await listCalendars(app.db, actor.userId)).map(calendarView),
  }),
  connectCaldav: async ({ app, actor, input }) => loadAccount(app, actor, await connectCaldav(app, actor, input.body)),
  connectFeed: async ({ app, actor, input }) => loadAccount(app, actor, await connectFeed(app, actor, input.body.url)),
  startOAuth: ({ app, actor, note, input }) => startOAuth(app, actor, note, { ...input.params, ...input.query }),
  finishOAuth: ({ app, actor, note, input }) =>
    finishOAuth(app, actor, note, { ...input.params, parameters: new URLSearchParams(input.query) }),
  reconnect: async ({ app, actor, input }) => {
    await reconnect(app, actor, input.params.accountId, input.body.password);
    return loadAccount(app, actor, input.params.accountId);
  },
  disconnect: async ({ app, actor, input }) => {
    await disconnect(app, actor, input.params.accountId);
    return loadAccount(app, actor, input.params.accountId);
  },
  changeCalendar: async ({ app, actor, input }) => {
    const calendar = await updateCalendar(app.db, actor.userId, input.params.calendarId, input.body);
    if (calendar === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such calendar.');
    return { calendar: calendarView(calendar) };
  },
});
