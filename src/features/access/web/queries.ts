import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(accessContract);

/** Who is signed in, as the guards of the shell know it. */
const sessionKey = ['accounts', 'session'];

/** After a sign-in the next guard asks anew who this is. */
function useForgetSession(): () => void {
  const queryClient = useQueryClient();
  return () => queryClient.removeQueries({ queryKey: sessionKey });
}

export function useSignIn() {
  const forgetSession = useForgetSession();
  return useMutation({
    mutationFn: (body: CallInput<typeof accessContract.login>['body']) => api.login({ body }),
    onSuccess: forgetSession,
  });
}

export function useSignUp() {
  const forgetSession = useForgetSession();
  return useMutation({
    mutationFn: (body: CallInput<typeof accessContract.signup>['body']) => api.signup({ body }),
    onSuccess: forgetSession,
  });
}
