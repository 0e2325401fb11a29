import { listMailTroubles } from '#platform/mail-troubles.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { listAccountEvents } from './audit/account-log.ts';
import { accountsContract } from './contract.ts';
import { deleteAccount } from './deletion/deletion.ts';
import { toAccountProfile, toProfile } from './rules/profile.ts';
import { listOwnSessions, revokeSession, signOut, signOutEverywhere } from './sessions/sessions.ts';
import { changeInstallSettings, getInstallSettings } from './settings/settings.ts';
import { getUser } from './store/users.ts';
import { changeAvatar, serveAvatar } from './users/avatars.ts';
import { changePreferences, changeProfile } from './users/profile.ts';

export const routes = bindRoutes(accountsContract, {
  async logout({ app, actor, request, cookie }) {
    cookie.clear();
    await (actor && signOut(app, actor, request));
    return { message: 'Logged out' };
  },
  async logoutEverywhere({ app, actor, input, request, cookie }) {
    const { includingThis, end_keys: endKeys = false } = input.body;
    const ended = await signOutEverywhere(app, actor, { includingThis, endKeys, request });
    if (includingThis) cookie.clear();
    return { message: 'Logged out', ended };
  },
  async listMailTroubles({ app, actor }) {
    const troubles = await listMailTroubles(app.db, actor.userId);
    return { troubles: troubles.map(({ to, state, atMs }) => ({ to, state, writtenAt: atMs })) };
  },
  listSessions: async ({ app, actor }) => ({ sessions: await listOwnSessions(app, actor) }),
  async endSession({ app, actor, input, request, cookie }) {
    await revokeSession(app, actor, input.params.sessionId, request);
    if (input.params.sessionId === actor.sessionId) cookie.clear();
  },
  readTrail: ({ app, actor, input }) => listAccountEvents(app, actor, input.query.before),
  readProfile: async ({ app, actor }) => toProfile(await getUser(app.db, actor)),
  readSession: async ({ app, actor }) => ({
    user: actor && toAccountProfile(await getUser(app.db, actor), actor),
  }),
  readAccountProfile: async ({ app, actor }) => toAccountProfile(await getUser(app.db, actor), actor),
  changeProfile: ({ app, actor, input }) => changeProfile(app, actor, input.body),
  async changeAvatar({ app, actor, input }) {
    await changeAvatar(app, actor, input.body);
    return toAccountProfile(await getUser(app.db, actor), actor);
  },
  async removeAvatar({ app, actor }) {
    await changeAvatar(app, actor, null);
    return toAccountProfile(await getUser(app.db, actor), actor);
  },
  readInstallSettings: ({ app }) => getInstallSettings(app),
  changeInstallSettings: ({ app, actor, input, request }) => changeInstallSettings(app, actor, input.body, request),
  async deleteAccount({ app, actor, input, request, cookie }) {
    await deleteAccount(app, actor, input.body.email, request);
    cookie.clear();
    return { message: 'Account deletion started' };
  },
  changePreferences: ({ app, actor, input }) => changePreferences(app, actor, input.body),
});

export const rawRoutes: readonly RawRoute[] = [{ method: 'GET', path: '/avatars/{file}', handle: serveAvatar }];
