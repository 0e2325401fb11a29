import { randomUUIDv7 } from 'node:crypto';
import { demandRecentProof } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { PasskeyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { checkAttestation } from '#platform/webauthn.ts';
import type { accessContract } from './contract.ts';
import { addingPurpose, passkeysPerAccount } from './rules/passkey.ts';
import { insertPasskey } from './store/passkeys.ts';
import { takeChallenge } from './take-challenge.ts';
import { tellAboutWayIn } from './tell-about-way-in.ts';

type Add = typeof accessContract.addPasskey;

/**
 * Keeps the passkey that an authenticator has made.
 * *Errors*: AppError forbidden (REAUTHENTICATE), gone (CHALLENGE_ENDED), invalid (PASSKEY_REFUSED), conflict
 * (PASSKEY_KNOWN, TOO_MANY_PASSKEYS).
 */
export async function addPasskey(
  app: Pick<App, 'db' | 'config' | 'clock' | 'log' | 'mail'>,
  actor: Actor,
  { name: typed, passkey }: Input<Add>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<Add>> {
  demandRecentProof(actor);
  const challenge = await takeChallenge(app, note, addingPurpose(actor));
  const made = await checkAttestation(app, challenge, passkey);
  if (made === null) {
    throw new AppError('invalid', 'PASSKEY_REFUSED', 'What your device made could not be checked. Nothing was added.');
  }
  const name = typed.normalize('NFC').trim();
  const id = randomUUIDv7() as PasskeyId;
  await inTransaction(app.db, async (tx) => {
    const outcome = await insertPasskey(tx, {
      id,
      userId: actor.userId,
      credentialId: made.id,
      publicKey: made.publicKey,
      signCount: made.signCount,
      transports: passkey.transports,
      isSynced: made.isSynced,
      name,
    });
    if (outcome === 'taken') throw new AppError('conflict', 'PASSKEY_KNOWN', 'This passkey has been added before.');
    if (outcome === 'full') {
      const message = `An account has at most ${passkeysPerAccount} passkeys. Remove one that you no longer use.`;
      throw new AppError('conflict', 'TOO_MANY_PASSKEYS', message);
    }
    await tellAboutWayIn(app, tx, actor.userId, { kind: 'passkey-added', name }, request);
  });
  return { id, name };
}
