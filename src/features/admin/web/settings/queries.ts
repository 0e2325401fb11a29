import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountsContract } from '#features/accounts/contract.ts';
import type { Input } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';

const api = createClient(accountsContract);

const settingsKey = ['admin', 'settings'];

export function useInstallSettings() {
  return useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => api.readInstallSettings({}, { signal }),
  });
}

export function useChangeInstallSettings() {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (changes: Input<typeof accountsContract.changeInstallSettings>['body']) =>
      withProof(() => api.changeInstallSettings({ body: changes })),
    onSuccess: (settings) => queryClient.setQueryData(settingsKey, settings),
  });
}
