import { demandFlag } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { readDigest } from './read-digest.ts';
import { deleteDigest, insertDigest } from './store/digest-rows.ts';

/** Asks for a mail about each week, or for none any more. */
export async function chooseDigest(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: { userId: UserId },
  { weekly }: { weekly: boolean },
): Promise<{ weekly: boolean; available: boolean }> {
  if (weekly) await demandFlag(db, 'weekly-digest', userId);
  if (weekly) await insertDigest(db, userId, clock.nowMs());
  else await deleteDigest(db, userId);
  return readDigest({ db }, { userId });
}
