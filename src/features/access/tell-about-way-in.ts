import { findUser, recordAccountEvent } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { tellByMail } from './tell-by-mail.ts';

/**
 * Writes on somebody's trail, and to their address, that a way into the account was added or taken away: one that was
 * added by somebody else outlives a new password.
 */
export async function tellAboutWayIn(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  userId: UserId,
  change: 'passkey-added' | 'passkey-removed' | 'identity-linked' | 'identity-unlinked',
  { request, details }: { request: RequestFacts; details: Readonly<Record<string, string>> },
): Promise<void> {
  await recordAccountEvent(tx, { userId, kind: change, request, details });
  const user = await findUser(tx, userId);
  if (user !== undefined) await tellByMail(app, tx, user, change, request);
}
