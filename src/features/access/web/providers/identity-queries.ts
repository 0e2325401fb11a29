import { useMutation, useQuery } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import type { SignInProvider } from '#features/access/rules/sign-in-providers.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';
import { useRefresh } from '../use-refresh.ts';

const api = createClient(accessContract);

export type Identity = Output<typeof accessContract.listIdentities>['identities'][number];

export const useIdentities = () =>
  useQuery({ queryKey: ['access', 'identities'], queryFn: ({ signal }) => api.listIdentities({}, { signal }) });

/** The browser then goes to the address that this gives. */
export function useLinkIdentity() {
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (provider: SignInProvider) => withProof(() => api.linkIdentity({ body: { provider } })),
  });
}

export function useUnlinkIdentity() {
  const refresh = useRefresh();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (identityId: string) => withProof(() => api.unlinkIdentity({ params: { identityId } })),
    onSuccess() {
      // Not waited for: the row is gone then, and says nothing any more.
      void refresh();
    },
  });
}
