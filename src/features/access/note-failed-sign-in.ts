import { recordAccountEvent } from '#features/accounts/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';

/** Leaves a line in the trail of the account that somebody tried; does nothing where there is none (any more). */
export async function noteFailedSignIn(
  app: Pick<App, 'db'>,
  userId: UserId | null,
  request: RequestFacts,
): Promise<void> {
  if (userId === null || (await findUser(app.db, userId)) === undefined) return;
  await recordAccountEvent(app.db, { userId, kind: 'sign-in-failed', request, details: { method: 'password' } });
}
