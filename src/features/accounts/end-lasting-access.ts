import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { endApiKeys } from './end-api-keys.ts';
import { lastingAccessEnded } from './events.ts';
import type { KeyOwner } from './mail.ts';

/** Ends what opens an account without a sign-in when the transaction commits: API keys, and what listeners keep, as published feeds. */
export async function endLastingAccess(
  app: Pick<App, 'clock' | 'config' | 'mail' | 'news'>,
  tx: Tx,
  owner: KeyOwner,
  request: RequestFacts,
): Promise<void> {
  await endApiKeys(app, tx, owner, { madeWithoutFactor: false }, { request });
  const { ip, userAgent = null } = request;
  await app.news.announce(tx, lastingAccessEnded, { userId: owner.id, ip, userAgent });
}
