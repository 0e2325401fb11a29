import { recordAccountEvent } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { Reader } from './mail.ts';
import { tellByMail } from './tell-by-mail.ts';

/** Writes a change of somebody's second factor on their trail, and to their address: it may not have been they. */
export async function tellAboutFactor(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  user: Reader,
  change: 'mfa-enabled' | 'mfa-disabled' | 'backup-codes-made' | 'backup-code-used',
  request: RequestFacts,
): Promise<void> {
  await recordAccountEvent(tx, { userId: user.id, kind: change, request });
  await tellByMail(app, tx, user, change, request);
}
