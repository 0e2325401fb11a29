import { useMutation, useQuery } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';

const api = createClient(accessContract);

type FirstCode = CallInput<typeof accessContract.finishEnrolment>['body'];

/** A secret for an authenticator app; the same one as long as its page stands. */
export function useMfaSecret(challenge: string | undefined) {
  const withProof = useReauthentication();
  return useQuery({
    queryKey: ['access', 'mfa-secret', challenge ?? null],
    queryFn: () => withProof(() => api.startEnrolment({ body: challenge === undefined ? {} : { session: challenge } })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
}
export const useFinishEnrolment = () => useMutation({ mutationFn: (body: FirstCode) => api.finishEnrolment({ body }) });

/** Which providers the operator has set up: the same for as long as the page stands. */
export const useSignInMethods = () =>
  useQuery({
    queryKey: ['access', 'sign-in-methods'],
    queryFn: ({ signal }) => api.readSignInMethods({}, { signal }),
    staleTime: 'static',
  });
