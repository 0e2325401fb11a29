import { demandRecentProof, loadOwner } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { credentialAlgorithms, relyingPartyOf } from '#platform/webauthn.ts';
import type { accessContract } from './contract.ts';
import { poseChallenge } from './pose-challenge.ts';
import { addingPurpose, challengeSeconds, userHandleOf } from './rules/passkey.ts';
import { listPasskeys } from './store/passkeys.ts';

/**
 * The options with which an authenticator makes a passkey for this person. An authenticator that has one of them
 * already says so itself.
 * *Errors*: AppError forbidden (REAUTHENTICATE).
 * *Source*: Web Authentication Level 3, 5.4.
 */
export async function offerPasskey(
  app: Pick<App, 'db' | 'config' | 'clock' | 'brand'>,
  actor: Actor,
  note: BrowserNote,
): Promise<Output<typeof accessContract.offerPasskey>> {
  demandRecentProof(actor);
  const { id } = relyingPartyOf(app.config);
  const { name } = app.brand.current();
  const { email, name: displayName } = await loadOwner(app.db, actor.userId);
  const known = await listPasskeys(app.db, actor);
  return {
    challenge: poseChallenge(app, note, addingPurpose(actor)),
    rp: { id, name },
    user: { id: userHandleOf(actor.userId), name: email, displayName },
    pubKeyCredParams: credentialAlgorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: challengeSeconds * 1000,
    excludeCredentials: known.map((passkey) => ({
      id: passkey.credential_id.toString('base64url'),
      type: 'public-key' as const,
      transports: passkey.transports,
    })),
    // Found without a user name, and never without its person's PIN, finger or face.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}
