import { findUserByEmail, recordAccountEvent } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';

/** Leaves a line in the trail of the account that somebody tried, if there is one. */
export async function noteFailedSignIn(app: Pick<App, 'db'>, email: string, request: RequestFacts): Promise<void> {
  const user = await findUserByEmail(app.db, email);
  if (user) {
    await recordAccountEvent(app.db, {
      userId: user.id,
      kind: 'sign-in-failed',
      request,
      details: { method: 'password' },
    });
  }
}
