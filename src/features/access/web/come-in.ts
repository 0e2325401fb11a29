import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import type { accessContract } from '#features/access/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { ownPath } from '#kernel/own-path.ts';
import type { GuestSearch } from './guest-search.ts';

export type SignedIn = Output<typeof accessContract.login>;

/** The door somebody stands at: where it leads unless they wanted to go elsewhere. */
export const homeOf = { user: '/', admin: '/admin' } as const;
export type Door = keyof typeof homeOf;

/** Where a person goes who has come in. */
export function useWish(door: Door = 'user'): string {
  const { from }: GuestSearch = useSearch({ strict: false });
  return ownPath(from) ?? homeOf[door];
}

/** On to what the person wanted, for somebody who is in. */
export function useEnter(door: Door = 'user'): () => void {
  const router = useRouter();
  const queryClient = useQueryClient();
  const wish = useWish(door);
  return () => {
    // What somebody else saw here before, and that nobody was signed in.
    queryClient.removeQueries();
    void router.navigate({ href: wish, replace: true });
  };
}

/**
 * The last step of every way in: on to what the person wanted, or to the second factor, with the challenge in the
 * history entry and in no address. False for an answer that is neither.
 */
export function useComeIn(door: Door = 'user'): (answer: SignedIn) => boolean {
  const router = useRouter();
  const wish = useWish(door);
  const enter = useEnter(door);
  return ({ next, session, session_token }) => {
    if (next === null && session_token !== null) {
      enter();
      return true;
    }
    if (next === null || session === null) return false;
    const to = next === 'MFA_ENROLL' ? '/mfa/enroll' : '/mfa/verify';
    void router.navigate({ to, search: { from: wish } as never, state: { challenge: session } });
    return true;
  };
}
