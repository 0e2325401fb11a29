import type * as z from 'zod/mini';
import { isoOf } from '#features/connections/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { publishedFeedShape } from './contract.ts';
import { feedPath, tokenPlace } from './rules/feed-address.ts';
import { listFeeds as listStored } from './store/published-feeds.ts';

/** The person's published feeds with their addresses. */
export async function listFeeds(app: App, actor: Actor): Promise<z.output<typeof publishedFeedShape>[]> {
  const feeds = await listStored(app.db, actor.userId);
  return feeds.map((feed) => ({
    content: feed.content,
    url: `${app.config.publicUrl}${feedPath(app.keyring.open(feed.token, tokenPlace(feed.id)))}`,
    createdAt: isoOf(feed.createdMs) ?? '',
    lastReadAt: isoOf(feed.lastReadMs),
  }));
}
