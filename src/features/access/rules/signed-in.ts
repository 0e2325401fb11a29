import { type KnownUser, nameOf } from '#features/accounts/rules/profile.ts';
import type { Output } from '#kernel/contract.ts';
import type { accessContract } from '../contract.ts';

export function toSignedIn(message: string, user: KnownUser, token: string): Output<typeof accessContract.login> {
  return {
    message,
    user: { email: user.email, name: nameOf(user), company: user.company, role: user.role },
    user_id: user.id,
    session_token: token,
    next: null,
    session: null,
  };
}
