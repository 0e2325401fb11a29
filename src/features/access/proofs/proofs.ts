import { recordAccountEvent } from '#features/accounts/public.ts';
import { renewSession } from '#features/accounts/sessions/public.ts';
import { getMfaSince } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { verifyPassword } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { restoreAllowance, takeAllowance } from '#platform/limits.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import type { accessContract } from '../contract.ts';
import { proofPurpose, proofsPerAccount } from '../rules/passkey.ts';
import { codeWrong } from '../rules/second-factor.ts';
import { hasPasskey } from '../store/passkeys.ts';
import { findPasswordHash } from '../store/passwords.ts';
import { consumeTotpCode, limitCodes } from './challenges.ts';
import { consumePasskeyChallenge, provePasskey } from './passkeys.ts';

/** With what somebody can prove again who they are. */
export async function getProofs(
  { db }: Pick<App, 'db'>,
  actor: Actor,
): Promise<Output<typeof accessContract.readProofs>> {
  return {
    password: (await findPasswordHash(db, actor.userId)) !== null,
    code: (await getMfaSince(db, actor)) !== null,
    passkey: await hasPasskey(db, actor.userId),
    provedRecently: actor.provedRecently,
  };
}

type Reauthenticate = typeof accessContract.reauthenticate;
type Proof = Input<Reauthenticate>['body'];

/**
 * Takes a new proof from somebody who is signed in: `demandRecentProof` lets them through for the next ten minutes. An
 * account with a second factor proves both, by password and code or by a passkey. The session gets a new token.
 * *Errors*: AppError forbidden (WRONG_CREDENTIALS, PASSKEY_REFUSED, PROOF_INCOMPLETE), unauthenticated
 * (MFA_CODE_WRONG), gone (CHALLENGE_ENDED), limited.
 * *Source*: OWASP ASVS 5.0 7.5.1.
 */
export async function reauthenticate(
  app: Pick<App, 'db' | 'config' | 'clock' | 'keyring' | 'log'>,
  actor: Actor,
  proof: Proof,
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<Reauthenticate>> {
  const { userId } = actor;
  const method = proof.passkey ? 'passkey' : proof.code ? 'code' : 'password';
  await takeAllowance(app.db, proofsPerAccount, userId);
  const hash = await findPasswordHash(app.db, userId);
  if ((await getMfaSince(app.db, actor)) !== null) demandBothFactors(proof, hash !== null);
  const restoreCodes = proof.code === undefined ? undefined : await limitCodes(app, userId, request);
  if (proof.passkey) {
    const challenge = await consumePasskeyChallenge(app, note, proofPurpose(actor));
    await provePasskey(app, { challenge, answer: proof.passkey, owner: userId, request });
  }
  // Hashing takes long: not inside the transaction.
  const isKnown = proof.password === undefined || (await verifyPassword(proof.password, hash, 'known'));
  const token = await inTransaction(app.db, async (tx) => {
    if (!isKnown || !(await takesCode(app, tx, actor, proof.code))) return null;
    await recordAccountEvent(tx, { userId, kind: 'reauthenticated', request, details: { method } });
    return renewSession(tx, actor, method === 'password' ? {} : { secondFactor: true });
  });
  if (token === null) {
    await recordAccountEvent(app.db, { userId, kind: 'reauthentication-failed', request, details: { method } });
    throw isKnown ? codeWrong() : new AppError('forbidden', 'WRONG_CREDENTIALS', 'The password is wrong.');
  }
  await restoreAllowance(app.db, proofsPerAccount, userId);
  await restoreCodes?.();
  return { message: 'Thank you', session_token: token };
}

/** People without a password sign in by another service, and have the code alone. */
function demandBothFactors({ passkey, code, password }: Proof, hasPassword: boolean): void {
  if (passkey || (code !== undefined && (password !== undefined || !hasPassword))) return;
  throw new AppError(
    'forbidden',
    'PROOF_INCOMPLETE',
    'This account uses two-factor authentication. Enter your password and a code from your authenticator app, or use a passkey.',
  );
}

/** A code is used up with the renewal it is for, or not at all. */
async function takesCode(
  app: Pick<App, 'clock' | 'keyring'>,
  tx: Tx,
  actor: Actor,
  code: string | undefined,
): Promise<boolean> {
  return code === undefined || consumeTotpCode(app, tx, actor.userId, code);
}
