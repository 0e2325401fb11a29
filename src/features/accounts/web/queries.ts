import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountsContract } from '#features/accounts/contract.ts';
import { sessionKey } from '#features/accounts/rules/session.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';

const api = createClient(accountsContract);

export type AccountProfile = Output<typeof accountsContract.readAccountProfile>;
export type ProfileChange = CallInput<typeof accountsContract.changeProfile>['body'];
export type PreferencesChange = CallInput<typeof accountsContract.changePreferences>['body'];

export function useProfile() {
  return useQuery({ queryKey: sessionKey, queryFn: ({ signal }) => api.readAccountProfile({}, { signal }) });
}

export function useChangeProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<ProfileChange>) => api.changeProfile({ body }),
    onSuccess: (profile) => queryClient.setQueryData(sessionKey, profile),
  });
}

/** A picture as it lies on the person's disk, or null for none. */
export function useChangeAvatar() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (file: File | null) =>
      file === null ? api.removeAvatar() : api.changeAvatar({ body: new Uint8Array(await file.arrayBuffer()) }),
    onSuccess: (profile) => queryClient.setQueryData(sessionKey, profile),
  });
}

export function useDeleteAccount() {
  const withProof = useReauthentication();
  return useMutation({ mutationFn: (email: string) => withProof(() => api.deleteAccount({ body: { email } })) });
}

export function useChangePreferences() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<PreferencesChange>) => api.changePreferences({ body }),
    onSuccess: (profile) => {
      queryClient.setQueryData(sessionKey, profile);
      return queryClient.invalidateQueries({ queryKey: ['meetings'] });
    },
  });
}
