import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';
import { calendarContract } from '../contract.ts';

const api = createClient(calendarContract);

type Published = Output<typeof calendarContract.listPublishedFeeds>;
export type PublishedFeed = Published['feeds'][number];
export type FeedContent = PublishedFeed['content'];

const feedsKey = ['published-feeds'];

export function usePublishedFeeds() {
  return useQuery({ queryKey: feedsKey, queryFn: ({ signal }) => api.listPublishedFeeds({ query: {} }, { signal }) });
}

/** `publish` also gives an existing feed a new address. It and `show` answer with the secret address, after a recent proof. */
export function usePublishFeed(content: FeedContent) {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  const onSuccess = (published: Published) => queryClient.setQueryData(feedsKey, published);
  return {
    publish: useMutation({ mutationFn: () => withProof(() => api.publishFeed({ params: { content } })), onSuccess }),
    show: useMutation({
      mutationFn: () => withProof(() => api.listPublishedFeeds({ query: { addresses: '1' } })),
      onSuccess,
    }),
    end: useMutation({ mutationFn: () => api.unpublishFeed({ params: { content } }), onSuccess }),
  };
}
