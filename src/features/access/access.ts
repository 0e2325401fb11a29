import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { type Deed, type DeedSubject, deedMail, type Reader } from './mail.ts';
import { getSignInMethods } from './store/exports.ts';

/** By which ways a person signs in, and since when; none of them can be used with it. */
export function exportAccess({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('ways-to-sign-in.json', () => getSignInMethods(db, userId))];
}

/** Tells somebody at their address what was done to their account: it may not have been they. */
export async function notifyByMail(
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
