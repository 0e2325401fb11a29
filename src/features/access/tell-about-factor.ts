import { recordAccountEvent } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { secondFactorMail } from './mail.ts';

const kinds = {
  mfaEnabled: 'mfa-enabled',
  mfaDisabled: 'mfa-disabled',
  backupCodesMade: 'backup-codes-made',
  backupCodeUsed: 'backup-code-used',
} as const;

/** Writes a change of somebody's second factor on their trail, and to their address: it may not have been they. */
export async function tellAboutFactor(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  user: Parameters<typeof secondFactorMail>[1],
  change: keyof typeof kinds,
  request: RequestFacts,
): Promise<void> {
  await recordAccountEvent(tx, { userId: user.id, kind: kinds[change], request });
  const { publicUrl } = app.config;
  await app.mail.send(tx, secondFactorMail(change, user, { atMs: app.clock.nowMs(), request, publicUrl }));
}
