import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { changeAvatar } from './change-avatar.ts';
import { changePreferences } from './change-preferences.ts';
import { changeProfile } from './change-profile.ts';
import { accountsContract } from './contract.ts';
import { toAccountProfile, toProfile } from './rules/profile.ts';
import { serveAvatar } from './serve-avatar.ts';
import { signOut } from './sign-out.ts';
import { loadUser } from './store/users.ts';

export const routes = bindRoutes(accountsContract, {
  async logout({ app, actor, cookie }) {
    cookie.clear();
    await (actor && signOut(app, actor));
    return { message: 'Logged out' };
  },
  readProfile: async ({ app, actor }) => toProfile(await loadUser(app.db, actor)),
  readAccountProfile: async ({ app, actor }) => toAccountProfile(await loadUser(app.db, actor)),
  changeProfile: ({ app, actor, input }) => changeProfile(app, actor, input.body),
  async changeAvatar({ app, actor, input }) {
    await changeAvatar(app, actor, input.body);
    return toAccountProfile(await loadUser(app.db, actor));
  },
  async removeAvatar({ app, actor }) {
    await changeAvatar(app, actor, null);
    return toAccountProfile(await loadUser(app.db, actor));
  },
  changePreferences: ({ app, actor, input }) => changePreferences(app, actor, input.body),
});

export const rawRoutes: readonly RawRoute[] = [{ method: 'GET', path: '/avatars/{file}', handle: serveAvatar }];
