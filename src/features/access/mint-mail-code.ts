import { randomBytes } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { Tx } from '#platform/db.ts';
import { type MailCodePurpose, mailCodeLink, mailCodeSeconds } from './rules/mail-code.ts';
import { saveMailCode } from './store/mail-codes.ts';

/** The parts of a mail with a code. */
export interface MintedMailCode {
  link: string;
  /** Names this code and no other, and tells nothing about it: the key of its mail. */
  id: string;
  expiresAtMs: number;
}

/** A new code (128 bits) for an address, as the link that goes there; the person's older one of this purpose is void. */
export async function mintMailCode(
  app: Pick<App, 'config' | 'clock'>,
  tx: Tx,
  { userId, email, purpose }: { userId: UserId; email: string; purpose: MailCodePurpose },
): Promise<MintedMailCode> {
  const code = randomBytes(16).toString('base64url');
  const codeHash = hashToken(code);
  const lifetimeSeconds = mailCodeSeconds[purpose];
  await saveMailCode(tx, { userId, purpose, email, codeHash, lifetimeSeconds });
  return {
    link: mailCodeLink(app.config.publicUrl, purpose, email, code),
    id: codeHash.toString('hex').slice(0, 32),
    expiresAtMs: app.clock.nowMs() + lifetimeSeconds * 1000,
  };
}
