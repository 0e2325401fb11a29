import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hasDigest } from './store/digest-rows.ts';

/** Whether somebody asked for the mail about each week. */
export async function readDigest(
  { db }: Pick<App, 'db'>,
  { userId }: { userId: UserId },
): Promise<{ weekly: boolean }> {
  return { weekly: await hasDigest(db, userId) };
}
