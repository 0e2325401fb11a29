import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import { sessionEndpoints } from '#features/accounts/rules/session-endpoints.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { signWithPasskey } from './passkeys/authenticator.ts';

const api = createClient(accessContract);
const accounts = createClient(sessionEndpoints);

export type Proofs = Output<typeof accessContract.readProofs>;
type Proof = CallInput<typeof accessContract.reauthenticate>['body'];

export function useProofs() {
  return useQuery({
    queryKey: ['access', 'proofs'],
    queryFn: ({ signal }) => api.readProofs({}, { signal }),
    staleTime: 0,
  });
}

export function useProve() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (proof: Proof | 'passkey') => {
      const body = proof === 'passkey' ? { passkey: await signWithPasskey(await api.askForProof()) } : proof;
      return api.reauthenticate({ body });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['access', 'trail'] }),
  });
}

export const useLeave = () => useMutation({ mutationFn: () => accounts.logout() });
