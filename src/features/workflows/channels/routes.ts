import { isSimulationOn } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { channelEndpoints } from '../rules/channel-endpoints.ts';
import { simulatedKinds } from '../rules/credential.ts';
import { keepNumber } from './consents.ts';
import { connectCredential, listCredentials, simulateCredential, testCredential } from './credentials.ts';
import { listConsents } from './store/consents.ts';
import { deleteCredential } from './store/credentials.ts';

const notThere = () => new AppError('not-found', 'NOT_FOUND', 'Account not found.');

async function loadCredential(app: App, actor: Actor, id: string) {
  const credential = (await listCredentials(app, actor)).find((one) => one.id === id);
  if (credential === undefined) throw notThere();
  return { credential };
}

const mostNumbers = 500;

async function loadNumbers(app: App, actor: Actor) {
  const numbers = await listConsents(app.db, actor.userId, mostNumbers);
  return { numbers: numbers.map(({ phone, given, source, atMs }) => ({ phone, given, source, at: atMs })) };
}

export const routes = bindRoutes(channelEndpoints, {
  listCredentials: async ({ app, actor }) => ({
    credentials: await listCredentials(app, actor),
    simulated: isSimulationOn(app.config) ? [...simulatedKinds] : [],
  }),
  async connectCredential({ app, actor, input }) {
    const { id, signing } = await connectCredential(app, actor, input.body);
    return { ...(await loadCredential(app, actor, id)), signing_secret: signing };
  },
  simulateCredential: async ({ app, actor, input }) =>
    loadCredential(app, actor, await simulateCredential(app, actor, input.body.kind)),
  async testCredential({ app, actor, input }) {
    await testCredential(app, actor, input.params.credential_id);
    return loadCredential(app, actor, input.params.credential_id);
  },
  async disconnectCredential({ app, actor, input }) {
    if (!(await deleteCredential(app.db, actor.userId, input.params.credential_id))) throw notThere();
    await app.feed.publish(app.db, actor.userId, 'channels');
    return {};
  },
  listNumbers: ({ app, actor }) => loadNumbers(app, actor),
  async keepNumber({ app, actor, input }) {
    await keepNumber(app, actor, input.body);
    return loadNumbers(app, actor);
  },
});
