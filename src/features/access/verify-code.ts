import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { answerChallenge } from './answer-challenge.ts';
import type { accessContract } from './contract.ts';
import { limitCodes } from './limit-codes.ts';
import { meetChallenge } from './meet-challenge.ts';
import { takeTotpCode } from './take-totp-code.ts';

type Verify = typeof accessContract.verifyMfa;

/** Signs in with a code of the authenticator app, after the first proof. *Errors*: as `answerChallenge`, limited. */
export async function verifyCode(
  app: Pick<App, 'db' | 'clock' | 'keyring'>,
  { session, code }: Input<Verify>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Verify>> {
  const challenge = await meetChallenge(app, 'mfa-verify', { session, actor, request });
  const restore = await limitCodes(app, challenge.userId, request);
  const answer = await answerChallenge(app, challenge, request, (tx) => takeTotpCode(app, tx, challenge.userId, code));
  await restore();
  return answer;
}
