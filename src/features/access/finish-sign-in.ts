import { recordAct } from '#features/accounts/audit/public.ts';
import { lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { openSession } from '#features/accounts/sessions/public.ts';
import { requiresAdminMfa } from '#features/accounts/settings/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { accessContract } from './contract.ts';
import { demandStaying } from './demand-staying.ts';
import { openChallenge } from './open-challenge.ts';
import { nextStep, type Proven } from './rules/second-factor.ts';
import { toChallenged, toSignedIn } from './rules/signed-in.ts';

/** How somebody has proved who they are, as far as they have. */
export interface Proof extends Proven {
  /** The way they came: `password`, `passkey`, `google`, ... */
  method: string;
  request: RequestFacts;
}

/**
 * The last step of every way in, and the only one that opens a session: what it answers is what a sign-in answers. Where
 * a second factor is still asked for, that is a challenge.
 * *Errors*: AppError forbidden (ACCOUNT_LEAVING, NOT_AN_ADMIN), unauthenticated where the account is gone.
 */
export async function finishSignIn(
  tx: Tx,
  { id }: { id: UserId },
  proof: Proof,
): Promise<Output<typeof accessContract.login>> {
  const { method, secondFactor, door, request } = proof;
  // As they are now: whoever sets up a second factor at this moment waits for us, and then ends this session too.
  const user = await lockUser(tx, id);
  if (user === null) throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'This account does not exist any more.');
  demandStaying(user);
  if (door === 'admin' && user.role !== 'admin') {
    throw new AppError(
      'forbidden',
      'NOT_AN_ADMIN',
      'This account is not an administrator. Sign in on the ordinary page.',
    );
  }
  const next = nextStep(user, proof, door === 'admin' && (await requiresAdminMfa(tx)));
  if (next === null) {
    await recordAccountEvent(tx, { userId: id, kind: 'signed-in', request, details: { method, secondFactor } });
    if (user.role === 'admin') {
      const subject = { kind: 'user', id } as const;
      await recordAct(tx, {
        actorId: id,
        action: 'login',
        subject,
        reason: null,
        request,
        details: { method, secondFactor },
      });
    }
    return toSignedIn('Login successful', user, await openSession(tx, user, { method, secondFactor, request }));
  }
  const purpose = next === 'MFA_REQUIRED' ? 'mfa-verify' : 'mfa-enroll';
  return toChallenged(next, user, await openChallenge(tx, { purpose, userId: user.id, sessionId: null, method, door }));
}
