import { useMutation, useQueryClient } from '@tanstack/react-query';
import { helpContract } from '#features/help/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(helpContract);

/** Notes that the person has a link to share, which ends the last of their first steps. */
export function useNoteCopied(): () => void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: () => api.changeFirstSteps({ body: { copied: true } }),
    onSuccess: (after) => queryClient.setQueryData(['help', 'first-steps'], after),
  });
  return mutate;
}
