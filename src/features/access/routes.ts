import { sessionSeconds } from '#features/accounts/rules/session.ts';
import type { PageRoute } from '#platform/page-route.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { type BrowserNote, bindRoutes, type SessionCookie } from '#platform/routes.ts';
import { changeEmail, requestMail, verifyEmail } from './addresses.ts';
import { accessContract } from './contract.ts';
import { listIdentities, startLinking, unlinkIdentity } from './identities/identities.ts';
import { exchangeSignIn, finishProviderSignIn, forwardFormPost, startProviderSignIn } from './identities/journeys.ts';
import {
  consumeBackupCode,
  disableMfa,
  finishEnrolment,
  getMfa,
  regenerateBackupCodes,
  startEnrolment,
  verifyCode,
} from './proofs/mfa.ts';
import {
  addPasskey,
  getPasskeyOptions,
  getPasskeyRequest,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from './proofs/passkeys.ts';
import { changePassword, resetPassword } from './proofs/passwords.ts';
import { getProofs, reauthenticate } from './proofs/proofs.ts';
import { type EntrancePath, entrances } from './rules/entrance.ts';
import { proofPurpose, signInPurpose } from './rules/passkey.ts';
import { rememberDevice } from './sign-in/devices.ts';
import { listSignInMethods } from './sign-in/methods.ts';
import { showAuthPage } from './sign-in/pages.ts';
import { signUp } from './sign-in/registration.ts';
import { signIn } from './sign-in/sign-in.ts';

/** The browser gets its half of a new session; while a second factor is asked for there is none. */
async function withCookie<Answer extends { session_token: string | null }>(
  cookie: SessionCookie,
  answering: Promise<Answer>,
): Promise<Answer> {
  const answer = await answering;
  if (answer.session_token !== null) cookie.set(answer.session_token, sessionSeconds);
  return answer;
}

/** A way in: the browser also keeps, sealed, who signed in here. */
async function withDevice<Answer extends { session_token: string | null; user_id: string }>(
  { cookie, note }: { cookie: SessionCookie; note: BrowserNote },
  answering: Promise<Answer>,
): Promise<Answer> {
  const answer = await withCookie(cookie, answering);
  if (answer.session_token !== null) rememberDevice(note, answer.user_id);
  return answer;
}

export const routes = bindRoutes(accessContract, {
  signup: ({ app, input, request, note }) => signUp(app, input.body, note, request),
  verifyEmail: async ({ app, actor, input, request, cookie, note }) => {
    const { message, signedIn, choosePassword } = await verifyEmail(app, actor, input.body, note, request);
    if (signedIn !== null) await withDevice({ cookie, note }, Promise.resolve(signedIn));
    return {
      message,
      signed_in: signedIn !== null && signedIn.session_token !== null,
      choose_password: choosePassword,
    };
  },
  resendVerification: ({ app, input, request }) => requestMail(app, input.body, 'verify', request),
  forgotPassword: ({ app, input, request }) => requestMail(app, input.body, 'reset', request),
  resetPassword: ({ app, input, request }) => resetPassword(app, input.body, request),
  changePassword: ({ app, actor, input, request, cookie }) =>
    withCookie(
      cookie,
      changePassword(
        app,
        actor,
        { newPassword: input.body.new_password, endKeys: input.body.end_keys ?? false },
        request,
      ),
    ),
  changeEmail: ({ app, actor, input, request }) => changeEmail(app, actor, input.body.email, request),
  login: ({ app, input, request, cookie, note }) =>
    withDevice({ cookie, note }, signIn(app, input.body, note, request)),
  startEnrolment: ({ app, actor, input, request }) => startEnrolment(app, input.body, actor, request),
  finishEnrolment: ({ app, actor, input, request, cookie, note }) =>
    withDevice({ cookie, note }, finishEnrolment(app, input.body, actor, request)),
  verifyMfa: ({ app, actor, input, request, cookie, note }) =>
    withDevice({ cookie, note }, verifyCode(app, input.body, actor, request)),
  consumeBackupCode: ({ app, actor, input, request, cookie, note }) =>
    withDevice({ cookie, note }, consumeBackupCode(app, input.body, actor, request)),
  regenerateBackupCodes: ({ app, actor, request }) => regenerateBackupCodes(app, actor, request),
  disableMfa: ({ app, actor, request, cookie }) => withCookie(cookie, disableMfa(app, actor, request)),
  readMfa: ({ app, actor }) => getMfa(app, actor),
  askForPasskey: ({ app, request, note }) => getPasskeyRequest(app, note, signInPurpose, request),
  verifyPasskey: ({ app, input, request, cookie, note }) =>
    withDevice({ cookie, note }, signInWithPasskey(app, input.body, note, request)),
  listPasskeys: ({ app, actor }) => listOwnPasskeys(app, actor),
  offerPasskey: ({ app, actor, note }) => getPasskeyOptions(app, actor, note),
  addPasskey: ({ app, actor, input, request, note }) => addPasskey(app, actor, input.body, note, request),
  renamePasskey: ({ app, actor, input, request }) =>
    renamePasskey(app, actor, { id: input.params.passkeyId, name: input.body.name }, request),
  removePasskey: ({ app, actor, input, request }) => removePasskey(app, actor, input.params.passkeyId, request),
  readProofs: ({ app, actor }) => getProofs(app, actor),
  askForProof: ({ app, actor, request, note }) => getPasskeyRequest(app, note, proofPurpose(actor), request),
  reauthenticate: ({ app, actor, input, request, cookie, note }) =>
    withCookie(cookie, reauthenticate(app, actor, input.body, note, request)),
  readSignInMethods: ({ app }) => listSignInMethods(app.config),
  startProviderSignIn: ({ app, note, input }) => startProviderSignIn(app, note, { ...input.params, ...input.query }),
  finishProviderSignIn: ({ app, actor, note, input, request }) =>
    finishProviderSignIn(app, actor, note, {
      ...input.params,
      parameters: new URLSearchParams(input.query),
      request,
    }),
  exchangeSignIn: ({ app, note, input, request, cookie }) =>
    withDevice({ cookie, note }, exchangeSignIn(app, note, input.body, request)),
  listIdentities: ({ app, actor }) => listIdentities(app, actor),
  linkIdentity: ({ app, actor, note, input }) => startLinking(app, actor, note, input.body.provider),
  async unlinkIdentity({ app, actor, input, request }) {
    await unlinkIdentity(app, actor, input.params.identityId, request);
    return listIdentities(app, actor);
  },
});

export const pages: readonly PageRoute[] = (Object.keys(entrances) as EntrancePath[]).map((path) => ({
  method: 'GET',
  path,
  handle: showAuthPage(path),
}));

export const rawRoutes: readonly RawRoute[] = [
  {
    method: 'POST',
    path: '/auth/oauth/{provider}/callback',
    bodyLimit: 64 * 1024,
    handle: async (_app, call) => forwardFormPost(call),
  },
];
