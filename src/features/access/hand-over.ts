import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { type Arrived, type HandedOver, handOverPurpose, handOverSeconds } from './rules/handed-over.ts';

/**
 * Leaves who came back with their browser, sealed, and gives the token that opens it: once, within a minute, and only in
 * that browser. An address may show it, since without the note it is worth nothing; so there is no row either.
 */
export function handOver(app: Pick<App, 'clock'>, note: BrowserNote, arrived: Arrived): string {
  const token = mintToken();
  const kept: HandedOver = {
    ...arrived,
    purpose: handOverPurpose(arrived.person.provider),
    token: hashToken(token).toString('base64url'),
    expiresMs: app.clock.nowMs() + handOverSeconds * 1000,
  };
  note.leave(JSON.stringify(kept), handOverSeconds);
  return token;
}
