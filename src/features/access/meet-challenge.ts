import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { codesPerNetwork } from './rules/second-factor.ts';
import { challengeEnded } from './rules/second-factor-errors.ts';
import { type Challenge, findChallenge, type Purpose } from './store/challenges.ts';

/**
 * The challenge of a token, for whoever may answer it.
 * *Errors*: AppError unauthenticated (CHALLENGE_ENDED), limited.
 */
export async function meetChallenge(
  app: Pick<App, 'db'>,
  purpose: Purpose,
  { session, actor, request }: { session: string; actor: Actor | null; request: RequestFacts },
): Promise<Challenge> {
  await takeNetworkAllowance(app.db, codesPerNetwork, request.ip);
  const challenge = await findChallenge(app.db, hashToken(session), purpose);
  // One asked for inside a session is nobody else's, whoever got hold of its token.
  const isTheirs = challenge && (challenge.sessionId === null || challenge.sessionId === actor?.sessionId);
  if (!isTheirs) throw challengeEnded();
  return challenge;
}
