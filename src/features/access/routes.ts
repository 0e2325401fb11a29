import { sessionSeconds } from '#features/accounts/rules/session.ts';
import { bindRoutes, type SessionCookie } from '#platform/routes.ts';
import { askForMail } from './ask-for-mail.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { consumeBackupCode } from './consume-backup-code.ts';
import { accessContract } from './contract.ts';
import { disableMfa } from './disable-mfa.ts';
import { finishEnrolment } from './finish-enrolment.ts';
import { readMfa } from './read-mfa.ts';
import { regenerateBackupCodes } from './regenerate-backup-codes.ts';
import { resetPassword } from './reset-password.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { startEnrolment } from './start-enrolment.ts';
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

export const routes = bindRoutes(accessContract, {
  signup: ({ app, input, request }) => signUp(app, input.body, request),
  verifyEmail: ({ app, actor, input, request }) => verifyEmail(app, actor, input.body, request),
  resendVerification: ({ app, input, request }) => askForMail(app, input.body.email, 'verify', request),
  forgotPassword: ({ app, input, request }) => askForMail(app, input.body.email, 'reset', request),
  resetPassword: ({ app, input, request }) => resetPassword(app, input.body, request),
  changePassword: ({ app, actor, input, request, cookie }) =>
    withCookie(cookie, changePassword(app, actor, input.body.new_password, request)),
  changeEmail: ({ app, actor, input, request }) => changeEmail(app, actor, input.body.email, request),
  login: ({ app, input, request, cookie }) => withCookie(cookie, signIn(app, input.body, request)),
  startEnrolment: ({ app, actor, input, request }) => startEnrolment(app, input.body, actor, request),
  finishEnrolment: ({ app, actor, input, request, cookie }) =>
    withCookie(cookie, finishEnrolment(app, input.body, actor, request)),
  verifyMfa: ({ app, actor, input, request, cookie }) =>
    withCookie(cookie, verifyCode(app, input.body, actor, request)),
  consumeBackupCode: ({ app, actor, input, request, cookie }) =>
    withCookie(cookie, consumeBackupCode(app, input.body, actor, request)),
  regenerateBackupCodes: ({ app, actor, request }) => regenerateBackupCodes(app, actor, request),
  disableMfa: ({ app, actor, request, cookie }) => withCookie(cookie, disableMfa(app, actor, request)),
  readMfa: ({ app, actor }) => readMfa(app, actor),
});
