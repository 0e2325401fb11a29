import { sessionSeconds } from '#features/accounts/rules/session.ts';
import { endImpersonation } from '#features/accounts/sessions/public.ts';
import { getExport } from '#features/takeout/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { userEndpoints } from './contract.ts';
import {
  deleteUser,
  exportUser,
  getUserDetails,
  getUserExport,
  impersonate,
  listUsers,
  resendVerification,
  resetMfa,
  resume,
  suspend,
} from './users.ts';

const toPerson = async (app: App, actor: Actor, userId: UserId) => ({
  person: (await getUserDetails(app, actor, userId)).person,
});

export const userRoutes = bindRoutes(userEndpoints, {
  listUsers: ({ app, input }) => listUsers(app, input.query),
  readUser: ({ app, actor, input }) => getUserDetails(app, actor, input.params.userId),
  async suspendUser({ app, actor, input: { params, body }, request }) {
    await suspend(app, actor, params.userId, body.reason, request);
    return toPerson(app, actor, params.userId);
  },
  async resumeUser({ app, actor, input: { params, body }, request }) {
    await resume(app, actor, params.userId, body.reason, request);
    return toPerson(app, actor, params.userId);
  },
  async resendUserVerification({ app, actor, input: { params, body }, request }) {
    await resendVerification(app, actor, params.userId, body.reason, request);
    return toPerson(app, actor, params.userId);
  },
  async resetUserMfa({ app, actor, input: { params, body }, request }) {
    await resetMfa(app, actor, params.userId, body.reason, request);
    return toPerson(app, actor, params.userId);
  },
  async impersonateUser({ app, actor, input: { params, body }, request, cookie }) {
    const { token, seconds } = await impersonate(app, actor, params.userId, body.reason, request);
    cookie.set(token, seconds);
    return { endsAt: app.clock.nowMs() + seconds * 1000 };
  },
  async endImpersonation({ app, actor, request, cookie }) {
    const token = await endImpersonation(app, actor, request);
    if (token === null) cookie.clear();
    else cookie.set(token, sessionSeconds);
    return { isBack: token !== null };
  },
  async exportUser({ app, actor, input: { params, body }, request }) {
    await exportUser(app, actor, params.userId, body.reason, request);
    return getExport(app.db, params);
  },
  readUserExport: ({ app, input }) => getExport(app.db, input.params),
  downloadUserExport: ({ app, actor, input, request }) => getUserExport(app, actor, input.params, request),
  async deleteUser({ app, actor, input: { params, body }, request }) {
    await deleteUser(app, actor, params.userId, body, request);
    return { message: 'Account deletion started' };
  },
});
