import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { calendarContract } from '../contract.ts';

const api = createClient(calendarContract);

type Published = Output<typeof calendarContract.listPublishedFeeds>;
export type PublishedFeed = Published['feeds'][number];
export type FeedContent = PublishedFeed['content'];

const feedsKey = ['published-feeds'];

export function usePublishedFeeds() {
  return useQuery({ queryKey: feedsKey, queryFn: ({ signal }) => api.listPublishedFeeds({}, { signal }) });
}

/** `publish` also gives an existing feed a new address. */
export function usePublishFeed(content: FeedContent) {
  const queryClient = useQueryClient();
  const onSuccess = (published: Published) => queryClient.setQueryData(feedsKey, published);
  return {
    publish: useMutation({ mutationFn: () => api.publishFeed({ params: { content } }), onSuccess }),
    end: useMutation({ mutationFn: () => api.unpublishFeed({ params: { content } }), onSuccess }),
  };
}
