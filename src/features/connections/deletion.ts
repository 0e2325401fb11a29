import { randomUUIDv7 } from 'node:crypto';
import { insertRemains } from '#features/accounts/deletion/public.ts';
import { isLeaving } from '#features/accounts/public.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { connectionGone } from './events.ts';
import { revokeJob } from './jobs.ts';
import { revocationPlace, tokenPlace } from './rules.ts';
import { deleteConnection, findConnectionById } from './store/connections.ts';
import { insertRevocation } from './store/revocations.ts';
import { findTokens } from './store/tokens.ts';

/** Data of ours that stays in a disconnected account, with the reason. */
interface Left {
  blocks: number;
  reason: string | null;
}

/** The last step of leaving: the account goes with its tokens, and what it granted is given back to its provider. */
export async function forgetAccount(
  app: Pick<App, 'keyring' | 'jobs' | 'news'>,
  tx: Tx,
  id: ConnectionId,
  { blocks, reason }: Left,
): Promise<void> {
  const [connection, tokens] = [await findConnectionById(tx, id), await findTokens(tx, id)];
  if (connection !== null && connection.subject !== null && tokens !== null && tokens.refusedCode === null) {
    const { provider, profile, subject } = connection;
    const revocationId = randomUUIDv7();
    const token = app.keyring.open(tokens.refreshToken, tokenPlace(id, 'refresh_token'));
    const sealed = app.keyring.seal(token, revocationPlace(revocationId));
    await insertRevocation(tx, { id: revocationId, provider, profile, subject, token: sealed });
    await app.jobs.send(revokeJob, { revocationId }, { tx });
  }
  await deleteConnection(tx, id);
  if (connection === null) return;
  const { userId, label } = connection;
  if (blocks > 0 && (await isLeaving(tx, userId)))
    await insertRemains(tx, userId, { place: label, blocks, reason: reason ?? '' });
  await app.news.announce(tx, connectionGone, { connectionId: id, userId });
}
