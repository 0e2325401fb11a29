import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { helpContract } from '../contract.ts';

const api = createClient(helpContract);
const bookingApi = createClient(bookingContract);

const firstStepsQuery = queryOptions({
  queryKey: ['help', 'first-steps'],
  queryFn: ({ signal }) => api.readFirstSteps({}, { signal }),
});

export const useFirstSteps = () => useQuery(firstStepsQuery);

export function useChangeFirstSteps() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { copied?: true; skipped?: boolean }) => api.changeFirstSteps({ body }),
    onSuccess: (after) => queryClient.setQueryData(firstStepsQuery.queryKey, after),
  });
}

export const useSupport = () =>
  useQuery({ queryKey: ['help', 'support'], queryFn: ({ signal }) => api.readSupport({}, { signal }) });

export const useAskSupport = () =>
  useMutation({
    mutationFn: (body: { message: string; diagnostics?: string }) => api.askSupport({ body }),
  });

/** The address of all that one offers. */
export const useHandle = () =>
  useQuery({ queryKey: ['booking', 'handle'], queryFn: ({ signal }) => bookingApi.readHandle({}, { signal }) });
