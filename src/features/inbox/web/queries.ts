import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { inboxContract } from '../contract.ts';

const api = createClient(inboxContract);

export type Inbox = Output<typeof inboxContract.listNotices>;
export type Notice = Inbox['notices'][number];

/** Live updates invalidate the query. The interval covers a broken stream. */
const fallbackPollMs = 60_000;

const noticesQuery = queryOptions({
  queryKey: ['inbox', 'notices'],
  queryFn: ({ signal }) => api.listNotices({}, { signal }),
  refetchInterval: fallbackPollMs,
});

export function useNotices() {
  return useQuery(noticesQuery);
}

/** Marks at once, as the server will say a moment later. */
export function useMarkNotices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { ids?: string[]; read: boolean }) => api.markNotices({ body }),
    onMutate: async ({ ids, read }) => {
      await queryClient.cancelQueries(noticesQuery);
      const before = queryClient.getQueryData(noticesQuery.queryKey);
      if (before) {
        const notices = before.notices.map((one) =>
          ids === undefined || ids.includes(one.id) ? { ...one, read } : one,
        );
        const unread = notices.filter((one) => !one.read && !one.over).length;
        queryClient.setQueryData(noticesQuery.queryKey, { notices, unread });
      }
      return { before };
    },
    onError: (_error, _wish, context) => queryClient.setQueryData(noticesQuery.queryKey, context?.before),
    onSettled: () => queryClient.invalidateQueries(noticesQuery),
  });
}
