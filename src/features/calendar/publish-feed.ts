import { randomUUIDv7 } from 'node:crypto';
import { demandFlag } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { tokenPlace } from './rules/feed-address.ts';
import { type FeedContent, replaceFeed } from './store/published-feeds.ts';

/** Makes a feed, or gives it a new address; whoever reads the old one gets nothing from now on. */
export async function publishFeed(app: App, actor: Actor, content: FeedContent): Promise<void> {
  await demandFlag(app.db, 'published-feeds', actor.userId);
  const id = randomUUIDv7();
  const token = mintToken();
  await replaceFeed(app.db, {
    id,
    userId: actor.userId,
    content,
    token: app.keyring.seal(token, tokenPlace(id)),
    tokenHash: hashToken(token),
  });
}
