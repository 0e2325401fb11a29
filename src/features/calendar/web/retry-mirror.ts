import { useMutation, useQueryClient } from '@tanstack/react-query';
import { meetingsContract } from '#features/meetings/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const { retryMirror } = meetingsContract;
const api = createClient({ retryMirror });

/** Tries a failed mirror again now; its state in every list follows. */
export function useRetryMirror() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mirrorId: string) => api.retryMirror({ params: { mirrorId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sync'] }),
  });
}
