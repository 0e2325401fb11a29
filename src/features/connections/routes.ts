import { isSimulationOn } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { faceOf, isRegistered, oauthServices, caldavProfiles as profiles } from '#providers/registry.ts';
import { connectCaldav, connectFeed, connectOwn, disconnect, reconnect } from './connections.ts';
import { caldavProfiles, connectionsContract, oauthProviders } from './contract.ts';
import { finishOAuth, simulateConnect, startOAuth } from './oauth/oauth.ts';
import { listCalendars, updateCalendar } from './store/calendars.ts';
import { calendarView, listAccounts } from './views.ts';

async function loadAccount(app: App, actor: Actor, accountId: string) {
  const account = (await listAccounts(app, actor)).find((one) => one.accountId === accountId);
  if (account === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  return { account };
}

function signInOf({ config }: App, provider: (typeof oauthProviders)[number]) {
  const { word, label, color } = faceOf({ provider, profile: 'generic' });
  const usable = config[provider] !== undefined;
  const missing = usable
    ? null
    : `To enable it, register this server with ${oauthServices[provider]} and set ${provider.toUpperCase()}_CLIENT_ID. See docs/providers.md.`;
  return { provider, word, label, color, usable, missing };
}

export const routes = bindRoutes(connectionsContract, {
  listProviders: ({ app }) => ({
    signIns: oauthProviders.filter(isRegistered).map((provider) => signInOf(app, provider)),
    simulated: isSimulationOn(app.config) ? oauthProviders.filter(isRegistered) : [],
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
  connectOwn: async ({ app, actor }) => loadAccount(app, actor, await connectOwn(app, actor)),
  startOAuth: ({ app, actor, note, input }) => startOAuth(app, actor, note, { ...input.params, ...input.query }),
  finishOAuth: ({ app, actor, note, input }) =>
    finishOAuth(app, actor, note, { ...input.params, parameters: new URLSearchParams(input.query) }),
  takeOutcome: ({ note }) => ({ message: note.take('outcome') }),
  simulateConnect: async ({ app, actor, input }) =>
    loadAccount(app, actor, await simulateConnect(app, actor, input.body.provider)),
  reconnect: async ({ app, actor, input }) => {
    await reconnect(app, actor, input.params.accountId, input.body.password);
    return loadAccount(app, actor, input.params.accountId);
  },
  disconnect: async ({ app, actor, input }) => {
    await disconnect(app, actor, input.params.accountId, { deleteEvents: input.query.delete_events === '1' });
    return loadAccount(app, actor, input.params.accountId);
  },
  changeCalendar: async ({ app, actor, input }) => {
    const calendar = await updateCalendar(app.db, actor.userId, input.params.calendarId, input.body);
    if (calendar === null) throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
    return { calendar: calendarView(calendar) };
  },
});
