import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountsContract } from '#features/accounts/contract.ts';
import { sessionKey } from '#features/accounts/rules/session.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(accountsContract);

type Profile = Output<typeof accountsContract.readAccountProfile>;
type Change = Pick<
  NonNullable<CallInput<typeof accountsContract.changePreferences>['body']>,
  'timezone' | 'weekends' | 'weekNumbers' | 'moreZones'
>;

/** Changes how the person has their calendar drawn: at once here, remembered by the server, taken back if that fails. */
export function useChangePreferences() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Change) => api.changePreferences({ body }),
    onMutate: (change) => {
      const before = queryClient.getQueryData<Profile>(sessionKey);
      queryClient.setQueryData<Profile>(sessionKey, (profile) => profile && { ...profile, ...change });
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context?.before !== undefined) queryClient.setQueryData(sessionKey, context.before);
    },
    onSuccess: (profile) => queryClient.setQueryData(sessionKey, profile),
  });
}
