import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { type Deed, type DeedSubject, deedMail, type Reader } from './mail.ts';

/** Tells somebody at their address what was done to their account: it may not have been they. */
export async function tellByMail(
  app: Pick<App, 'clock' | 'config' | 'mail'>,
  tx: Tx,
  reader: Reader,
  deed: Deed,
  request: RequestFacts,
  about?: DeedSubject,
): Promise<void> {
  const facts = { atMs: app.clock.nowMs(), request, publicUrl: app.config.publicUrl, about };
  await app.mail.send(tx, deedMail(deed, reader, facts));
}
