import { randomUUIDv7 } from 'node:crypto';
import { demandFlag, demandRecentProof, tellFeedPublished } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { tokenPlace } from './rules/feed-address.ts';
import { type FeedContent, replaceFeed } from './store/published-feeds.ts';

/** Each makes a new address and a mail to its person. */
const perPerson = { action: 'feed published, account', burst: 10, periodSeconds: 86_400 };

/**
 * Makes a feed, or gives it a new address; the old one answers nothing from now on. Its person is told by mail.
 * *Errors*: as `demandRecentProof`, `demandFlag`; AppError limited.
 */
export async function publishFeed(app: App, actor: Actor, content: FeedContent, request: RequestFacts): Promise<void> {
  demandRecentProof(actor);
  await demandFlag(app.db, 'published-feeds', actor.userId);
  await takeAllowance(app.db, perPerson, actor.userId);
  const id = randomUUIDv7();
  const token = mintToken();
  const { userId } = actor;
  const sealed = app.keyring.seal(token, tokenPlace(id));
  await inTransaction(app.db, async (tx) => {
    await replaceFeed(tx, { id, userId, content, token: sealed, tokenHash: hashToken(token) });
    await tellFeedPublished(app, tx, { userId, content }, request);
  });
}
