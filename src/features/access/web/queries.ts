import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';

const api = createClient(accessContract);

type Body<Name extends keyof typeof accessContract> =
  CallInput<(typeof accessContract)[Name]> extends { body: infer B } ? B : never;

export const useSignIn = () => useMutation({ mutationFn: (body: Body<'login'>) => api.login({ body }) });
export const useSignUp = () => useMutation({ mutationFn: (body: Body<'signup'>) => api.signup({ body }) });
export const useVerifyEmail = () =>
  useMutation({ mutationFn: (body: Body<'verifyEmail'>) => api.verifyEmail({ body }) });
export const useResendVerification = () =>
  useMutation({ mutationFn: (body: Body<'resendVerification'>) => api.resendVerification({ body }) });
export const useForgotPassword = () =>
  useMutation({ mutationFn: (body: Body<'forgotPassword'>) => api.forgotPassword({ body }) });
export const useResetPassword = () =>
  useMutation({ mutationFn: (body: Body<'resetPassword'>) => api.resetPassword({ body }) });

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
export const useFinishEnrolment = () =>
  useMutation({ mutationFn: (body: Body<'finishEnrolment'>) => api.finishEnrolment({ body }) });
export const useVerifyMfa = () =>
  useMutation({
    mutationFn: ({ kind, ...body }: Body<'verifyMfa'> & { kind: 'code' | 'backup' }) =>
      kind === 'code' ? api.verifyMfa({ body }) : api.consumeBackupCode({ body }),
  });

/** Which providers the operator has set up: the same for as long as the page stands. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['access', 'sign-in-methods'],
  queryFn: ({ signal }) => api.readSignInMethods({}, { signal }),
  staleTime: 'static',
});
export const useSignInMethods = () => useQuery(signInMethodsQuery);
