import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { channelEndpoints } from '#features/workflows/rules/channel-endpoints.ts';
import type { NewCredential } from '#features/workflows/rules/credential.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(channelEndpoints);

type Listed = Output<typeof channelEndpoints.listCredentials>;
export type Credential = Listed['credentials'][number];
export type SimulatedKind = Listed['simulated'][number];
export type PhoneNumber = Output<typeof channelEndpoints.listNumbers>['numbers'][number];

export function useCredentials() {
  return useQuery({
    queryKey: ['channels', 'credentials'],
    queryFn: ({ signal }) => api.listCredentials({}, { signal }),
  });
}

export function useNumbers() {
  return useQuery({ queryKey: ['channels', 'numbers'], queryFn: ({ signal }) => api.listNumbers({}, { signal }) });
}

function useChange<Given, Result>(change: (given: Given) => Promise<Result>) {
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['channels'] });
  return useMutation({ mutationFn: change, onSettled });
}

const params = (id: Credential['id']) => ({ params: { credential_id: id } });

export const useConnect = () => useChange((body: NewCredential) => api.connectCredential({ body }));
export const useSimulate = () => useChange((kind: SimulatedKind) => api.simulateCredential({ body: { kind } }));
export const useTest = () => useChange((id: Credential['id']) => api.testCredential(params(id)));
export const useDisconnect = () => useChange((id: Credential['id']) => api.disconnectCredential(params(id)));
export const useKeepNumber = () => useChange((body: { phone: string; given: boolean }) => api.keepNumber({ body }));
