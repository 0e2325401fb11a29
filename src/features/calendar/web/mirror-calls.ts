import { useQuery } from '@tanstack/react-query';
import { mostMirrorLinks, syncContract } from '#features/sync/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { GridEvent, MirrorLink } from './grid-event.ts';

const api = createClient(syncContract);

/** A full week takes one call, a month of a thousand events a few at once. */
export async function listLinks(itemIds: readonly string[], signal: AbortSignal): Promise<MirrorLink[]> {
  const pages: string[] = [];
  for (let at = 0; at < itemIds.length; at += mostMirrorLinks) {
    pages.push(itemIds.slice(at, at + mostMirrorLinks).join(','));
  }
  const answers = await Promise.all(pages.map((ids) => api.listMirrorLinks({ query: { item_ids: ids } }, { signal })));
  return answers.flatMap(({ links }) => links);
}

/** Where an event stands as a block, or what it is a block of. */
export function useEventMirrors({ id, itemId }: Pick<GridEvent, 'id' | 'itemId'>) {
  return useQuery({
    queryKey: ['sync', 'event-mirrors', id],
    queryFn: ({ signal }) =>
      api.readEventMirrors({ params: { itemId }, query: { rec_id: id.slice(itemId.length + 1) } }, { signal }),
  });
}
