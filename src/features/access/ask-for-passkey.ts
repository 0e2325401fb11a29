import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { relyingPartyOf } from '#platform/webauthn.ts';
import type { accessContract } from './contract.ts';
import { poseChallenge } from './pose-challenge.ts';
import { challengeSeconds, passkeysPerNetwork } from './rules/passkey.ts';

/**
 * The challenge that an authenticator signs, for an unknown person: the authenticator knows its passkeys.
 * *Errors*: AppError limited.
 * *Source*: Web Authentication Level 3, 5.5.
 */
export async function askForPasskey(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  note: BrowserNote,
  purpose: string,
  request: RequestFacts,
): Promise<Output<typeof accessContract.askForPasskey>> {
  await takeNetworkAllowance(app.db, passkeysPerNetwork, request.ip);
  return {
    challenge: poseChallenge(app, note, purpose),
    rpId: relyingPartyOf(app.config).id,
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
  };
}
