import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { factsOf, feedPublishedMail } from './mail.ts';
import { recordAccountEvent } from './record-account-event.ts';
import { lockUser } from './store/users.ts';

/** Tells a person by mail and in their trail that a feed of their calendar was published or has a new address. */
export async function tellFeedPublished(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  { userId, content }: { userId: UserId; content: 'events' | 'busy' },
  request: RequestFacts,
): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user === null) return;
  await recordAccountEvent(tx, { userId, kind: 'feed-published', request, details: { content } });
  await app.mail.send(tx, feedPublishedMail(user, content, factsOf(app, request)));
}
