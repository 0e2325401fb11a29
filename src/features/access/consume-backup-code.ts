import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { answerChallenge } from './answer-challenge.ts';
import type { accessContract } from './contract.ts';
import { hashBackupCode } from './hash-backup-code.ts';
import { meetChallenge } from './meet-challenge.ts';
import { readBackupCode } from './rules/backup-code.ts';
import { takeBackupCode } from './store/backup-codes.ts';
import { tellAboutFactor } from './tell-about-factor.ts';

type Consume = typeof accessContract.consumeBackupCode;

/**
 * Signs in with a backup code, after the first proof. Nobody guesses 80 bits, so these are limited by network and
 * challenge only: somebody who is guessing at the six digits cannot keep the owner from them.
 * *Errors*: as `answerChallenge`, limited.
 */
export async function consumeBackupCode(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail'>,
  { session, code }: Input<Consume>['body'],
  actor: Actor | null,
  request: RequestFacts,
): Promise<Output<Consume>> {
  const challenge = await meetChallenge(app, 'mfa-verify', { session, actor, request });
  const { userId } = challenge;
  const plain = readBackupCode(code);
  return answerChallenge(app, challenge, request, async (tx, user) => {
    if (plain === null || !(await takeBackupCode(tx, userId, hashBackupCode(userId, plain)))) return false;
    await tellAboutFactor(app, tx, user, 'backup-code-used', request);
    return true;
  });
}
