import { type KnownUser, nameOf } from '#features/accounts/rules/profile.ts';
import type { Output } from '#kernel/contract.ts';
import type { accessContract } from '../contract.ts';

type SignedIn = Output<typeof accessContract.login>;

export function toSignedIn(message: string, user: KnownUser, token: string | null): SignedIn {
  return {
    message,
    user: { email: user.email, name: nameOf(user), company: user.company, role: user.role },
    user_id: user.id,
    session_token: token,
    next: null,
    session: null,
  };
}

const messages = {
  MFA_REQUIRED: 'Enter a code from your authenticator app.',
  MFA_ENROLL: 'Administrators need multi-factor authentication. Set it up now.',
};

/** Returns an answer without a session, and without profile data that a holder of only the password lacks. */
export function toChallenged(next: keyof typeof messages, user: KnownUser, challenge: string): SignedIn {
  return {
    ...toSignedIn(messages[next], { ...user, name: null, company: null }, null),
    next,
    session: challenge,
  };
}
