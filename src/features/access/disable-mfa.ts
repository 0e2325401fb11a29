import { demandRecentProof, lockUser } from '#features/accounts/public.ts';
import { endSessions, renewSession } from '#features/accounts/sessions/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { removeFactor } from './remove-factor.ts';
import { mfaNotSetUp } from './rules/second-factor-errors.ts';
import { toSignedIn } from './rules/signed-in.ts';
import { tellAboutFactor } from './tell-about-factor.ts';

/**
 * Turns the second factor off and ends every other session; this one gets a new token. An administrator may, but is
 * without their rights while the install demands one.
 * *Errors*: AppError forbidden (REAUTHENTICATE), conflict (MFA_NOT_SET_UP).
 */
export async function disableMfa(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  actor: Actor,
  request: RequestFacts,
): Promise<Output<typeof accessContract.disableMfa>> {
  demandRecentProof(actor);
  const { userId, sessionId } = actor;
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.mfa_enabled_at === null) throw mfaNotSetUp();
    await removeFactor(tx, userId);
    await endSessions(tx, userId, { except: sessionId });
    await tellAboutFactor(app, tx, user, 'mfa-disabled', request);
    const token = await renewSession(tx, actor, { secondFactor: false });
    return toSignedIn('Multi-factor authentication is off', user, token);
  });
}
