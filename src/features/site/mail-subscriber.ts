import { randomBytes } from 'node:crypto';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import { subscribeMail } from './mail.ts';
import { confirmDays, mailsPerSubscriber } from './rules/limits.ts';
import { awaitConfirmation, lockSubscriber } from './store/subscribers.ts';

/** Asks the owner of an address whether they want news, unless they have said so already. */
export async function mailSubscriber(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  id: string,
  locale: string,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const known = await lockSubscriber(tx, id);
    if (known === null || known.confirmed) return;
    if (!(await takeAllowances(tx, mailsPerSubscriber, [known.email])).has(known.email)) return;
    const token = randomBytes(16).toString('base64url');
    const tokenHash = hashToken(token);
    await awaitConfirmation(tx, id, tokenHash);
    const { publicUrl } = app.config;
    await app.mail.send(
      tx,
      subscribeMail({
        key: tokenHash.toString('hex').slice(0, 32),
        to: known.email,
        locale,
        site: new URL(publicUrl).host,
        confirmUrl: `${publicUrl}/subscribe/${token}`,
        expiresAtMs: app.clock.nowMs() + confirmDays * 86_400_000,
      }),
    );
  });
}
