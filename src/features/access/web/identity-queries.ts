import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import type { SignInProvider } from '#features/access/rules/sign-in-providers.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';

const api = createClient(accessContract);
const identitiesKey = ['access', 'identities'];

export type Identity = Output<typeof accessContract.listIdentities>['identities'][number];

export const useIdentities = () =>
  useQuery({ queryKey: identitiesKey, queryFn: ({ signal }) => api.listIdentities({}, { signal }) });

/** The browser then goes to the address that this gives. */
export function useLinkIdentity() {
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (provider: SignInProvider) => withProof(() => api.linkIdentity({ body: { provider } })),
  });
}

export function useUnlinkIdentity() {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (identityId: string) => withProof(() => api.unlinkIdentity({ params: { identityId } })),
    onSuccess() {
      // Not waited for: the row is gone then, and says nothing any more. Sessions and the trail have changed too.
      void queryClient.invalidateQueries({ queryKey: ['access'] });
    },
  });
}
