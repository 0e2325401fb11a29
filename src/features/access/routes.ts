import { sessionSeconds } from '#features/accounts/rules/session.ts';
import type { PageRoute } from '#platform/page-route.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { type BrowserNote, bindRoutes, type SessionCookie } from '#platform/routes.ts';
import { addPasskey } from './add-passkey.ts';
import { askForMail } from './ask-for-mail.ts';
import { askForPasskey } from './ask-for-passkey.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { consumeBackupCode } from './consume-backup-code.ts';
import { accessContract } from './contract.ts';
import { disableMfa } from './disable-mfa.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';
import { finishEnrolment } from './finish-enrolment.ts';
import { finishProviderSignIn } from './finish-provider-sign-in.ts';
import { listIdentities } from './list-identities.ts';
import { listOwnPasskeys } from './list-own-passkeys.ts';
import { listSignInMethods } from './list-sign-in-methods.ts';
import { offerPasskey } from './offer-passkey.ts';
import { readMfa } from './read-mfa.ts';
import { readProofs } from './read-proofs.ts';
import { reauthenticate } from './reauthenticate.ts';
import { regenerateBackupCodes } from './regenerate-backup-codes.ts';
import { rememberDevice } from './remember-device.ts';
import { removePasskey } from './remove-passkey.ts';
import { renamePasskey } from './rename-passkey.ts';
import { resetPassword } from './reset-password.ts';
import { type EntrancePath, entrances } from './rules/entrance.ts';
import { proofPurpose, signInPurpose } from './rules/passkey.ts';
import { showEntrance } from './show-entrance.ts';
import { signIn } from './sign-in.ts';
import { signInWithPasskey } from './sign-in-with-passkey.ts';
import { signUp } from './sign-up.ts';
import { startEnrolment } from './start-enrolment.ts';
import { startLinking } from './start-linking.ts';
import { startProviderSignIn } from './start-provider-sign-in.ts';
import { takeFormPost } from './take-form-post.ts';
import { unlinkIdentity } from './unlink-identity.ts';
import { verifyCode } from './verify-code.ts';
import { verifyEmail } from './verify-email.ts';

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
  signup: ({ app, input, request }) => signUp(app, input.body, request),
  verifyEmail: ({ app, actor, input, request }) => verifyEmail(app, actor, input.body, request),
  resendVerification: ({ app, input, request }) => askForMail(app, input.body, 'verify', request),
  forgotPassword: ({ app, input, request }) => askForMail(app, input.body, 'reset', request),
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
  readMfa: ({ app, actor }) => readMfa(app, actor),
  askForPasskey: ({ app, request, note }) => askForPasskey(app, note, signInPurpose, request),
  verifyPasskey: ({ app, input, request, cookie, note }) =>
    withDevice({ cookie, note }, signInWithPasskey(app, input.body, note, request)),
  listPasskeys: ({ app, actor }) => listOwnPasskeys(app, actor),
  offerPasskey: ({ app, actor, note }) => offerPasskey(app, actor, note),
  addPasskey: ({ app, actor, input, request, note }) => addPasskey(app, actor, input.body, note, request),
  renamePasskey: ({ app, actor, input, request }) =>
    renamePasskey(app, actor, { id: input.params.passkeyId, name: input.body.name }, request),
  removePasskey: ({ app, actor, input, request }) => removePasskey(app, actor, input.params.passkeyId, request),
  readProofs: ({ app, actor }) => readProofs(app, actor),
  askForProof: ({ app, actor, request, note }) => askForPasskey(app, note, proofPurpose(actor), request),
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
  handle: showEntrance(path),
}));

export const rawRoutes: readonly RawRoute[] = [
  {
    method: 'POST',
    path: '/auth/oauth/{provider}/callback',
    bodyLimit: 64 * 1024,
    handle: async (_app, call) => takeFormPost(call),
  },
];
