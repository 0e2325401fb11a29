import { isFlagOn } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hasDigest } from './store/digest-rows.ts';

/** Whether somebody asked for the mail about each week. */
export async function readDigest(
  { db }: Pick<App, 'db'>,
  { userId }: { userId: UserId },
): Promise<{ weekly: boolean; available: boolean }> {
  const [weekly, available] = await Promise.all([hasDigest(db, userId), isFlagOn(db, 'weekly-digest', userId)]);
  return { weekly, available };
}
