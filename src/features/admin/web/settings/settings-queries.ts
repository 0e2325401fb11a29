import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';
import { settingsEndpoints } from '../../settings/contract.ts';

const api = createClient(settingsEndpoints);

export type ApiKey = Output<typeof settingsEndpoints.listKeys>['keys'][number];
export type Flag = Output<typeof settingsEndpoints.listFlags>['flags'][number];
export type MailOutcome = Output<typeof settingsEndpoints.testMail>;

const keysKey = ['admin', 'keys'];
const flagsKey = ['admin', 'flags'];

export function useKeys() {
  return useQuery({ queryKey: keysKey, queryFn: ({ signal }) => api.listKeys({}, { signal }) });
}

export function useCreateKey() {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (body: Input<typeof settingsEndpoints.createKey>['body']) => withProof(() => api.createKey({ body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysKey }),
  });
}

export function useRevokeKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof settingsEndpoints.revokeKey>['body']) => api.revokeKey({ body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysKey }),
  });
}

export function useFlags() {
  return useQuery({ queryKey: flagsKey, queryFn: ({ signal }) => api.listFlags({}, { signal }) });
}

export function useChangeFlag() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof settingsEndpoints.changeFlag>['body']) => api.changeFlag({ body }),
    onSuccess: (flags) => queryClient.setQueryData(flagsKey, flags),
  });
}

export function useChangeRetention() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof settingsEndpoints.changeRetention>['body']) => api.changeRetention({ body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin', 'health'] }),
  });
}

export function useTestMail() {
  return useMutation({ mutationFn: (reason: string) => api.testMail({ body: { reason } }) });
}
