import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { ownPath } from '#kernel/own-path.ts';
import { homeOf } from '../../rules/entrance.ts';
import type { GuestSearch } from './guest-search.ts';

/** Where a person goes who has come in. */
export function useWish(): string {
  const { from }: GuestSearch = useSearch({ strict: false });
  return ownPath(from) ?? homeOf.user;
}

/** On to what the person wanted, for somebody who is in. */
export function useEnter(): () => void {
  const router = useRouter();
  const queryClient = useQueryClient();
  const wish = useWish();
  return () => {
    // Removes cached data of another person and of the signed-out state.
    queryClient.removeQueries();
    void router.navigate({ href: wish, replace: true });
  };
}
