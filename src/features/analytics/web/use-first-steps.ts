import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { helpContract } from '#features/help/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(helpContract);
const queryKey = ['help', 'first-steps'];

/** The progress of a person's first steps. Skipped steps are under Help. */
export function useFirstSteps() {
  const queryClient = useQueryClient();
  const { data: noted, isFetching } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.readFirstSteps({}, { signal }),
  });
  const { mutate } = useMutation({
    mutationFn: (body: { copied?: true; skipped?: true }) => api.changeFirstSteps({ body }),
    onSuccess: (after) => queryClient.setQueryData(queryKey, after),
  });
  // without a connection, or an answer, they are shown as they are known
  return { noted, isAwaited: noted === undefined && isFetching, change: mutate };
}
