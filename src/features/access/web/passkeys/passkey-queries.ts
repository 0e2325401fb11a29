import { useMutation, useQuery } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { PasskeyId } from '#kernel/ids.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';
import { useRefresh } from '../use-refresh.ts';
import { makePasskey } from './authenticator.ts';

const api = createClient(accessContract);

export function usePasskeys() {
  return useQuery({ queryKey: ['access', 'passkeys'], queryFn: ({ signal }) => api.listPasskeys({}, { signal }) });
}

export function useAddPasskey() {
  const refresh = useRefresh();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: async (name: string) => {
      const passkey = await makePasskey(await withProof(() => api.offerPasskey()));
      return api.addPasskey({ body: { name, passkey } });
    },
    onSuccess: refresh,
  });
}

export function useRenamePasskey() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, name }: { id: PasskeyId; name: string }) =>
      api.renamePasskey({ params: { passkeyId: id }, body: { name } }),
    onSuccess: refresh,
  });
}

/** `onRemoved` is told here: the row that asked is gone by the time the list is there anew. */
export function useRemovePasskey(onRemoved: () => void) {
  const refresh = useRefresh();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (id: PasskeyId) => withProof(() => api.removePasskey({ params: { passkeyId: id } })),
    onSuccess: () => {
      onRemoved();
      return refresh();
    },
  });
}
