import type * as z from 'zod/mini';
import { demandRecentProof } from '#features/accounts/public.ts';
import { isoOf } from '#features/connections/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { publishedFeedShape } from './contract.ts';
import { feedPath, tokenPlace } from './rules/feed-address.ts';
import { listFeeds as listStored } from './store/published-feeds.ts';

/** The person's published feeds; their secret addresses where they are asked for. *Errors*: then as `demandRecentProof`. */
export async function listFeeds(
  app: App,
  actor: Actor,
  { addresses }: { addresses: boolean },
): Promise<z.output<typeof publishedFeedShape>[]> {
  if (addresses) demandRecentProof(actor);
  const feeds = await listStored(app.db, actor.userId);
  return feeds.map((feed) => ({
    content: feed.content,
    url: addresses ? `${app.config.publicUrl}${feedPath(app.keyring.open(feed.token, tokenPlace(feed.id)))}` : null,
    createdAt: isoOf(feed.createdMs) ?? '',
    lastReadAt: isoOf(feed.lastReadMs),
    isCut: feed.isCut,
  }));
}
