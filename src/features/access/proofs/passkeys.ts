import { randomUUIDv7 } from 'node:crypto';
import { demandRecentProof, loadOwner, lockUser, recordAccountEvent } from '#features/accounts/public.ts';
import { endSessions } from '#features/accounts/sessions/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { PasskeyId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { mintToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';
import { spendOnce } from '#platform/spend-once.ts';
import { checkAssertion, checkAttestation, credentialAlgorithms, relyingPartyOf } from '#platform/webauthn.ts';
import type { accessContract } from '../contract.ts';
import {
  addingPurpose,
  challengeSeconds,
  passkeysPerAccount,
  passkeysPerNetwork,
  signInPurpose,
  userHandleOf,
} from '../rules/passkey.ts';
import { notifyOfSignInMethod, requireSignInMethod } from '../sign-in/methods.ts';
import { finishSignIn } from '../sign-in/sign-in.ts';
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  recordUse,
  updatePasskeyName,
} from '../store/passkeys.ts';
import { lockSignInMethods } from '../store/sign-in-methods.ts';

/** The sealed challenge that the browser keeps until its authenticator has answered. */
interface PasskeyChallenge {
  challenge: string;
  purpose: string;
  expiresMs: number;
}

/** Among the notes that a browser keeps for us. */
const challengeNote = 'passkey';

/**
 * A challenge for an authenticator: 256 random bits in base64url. It lies sealed in the browser that asked, so that
 * posing one costs no row and no other browser can answer; `consumePasskeyChallenge` asks for the same `purpose`.
 */
function createPasskeyChallenge(app: Pick<App, 'clock'>, note: BrowserNote, purpose: string): string {
  const challenge = mintToken();
  const expiresMs = app.clock.nowMs() + challengeSeconds * 1000;
  const posed: PasskeyChallenge = { challenge, purpose, expiresMs };
  note.leave(JSON.stringify(posed), challengeSeconds, challengeNote);
  return challenge;
}

/**
 * The challenge that this browser was posed, once: an answer to it that was overheard proves nothing afterwards.
 * *Errors*: AppError gone (CHALLENGE_ENDED): none, another purpose, older than five minutes, or answered before.
 */
export async function consumePasskeyChallenge(
  app: Pick<App, 'db' | 'clock'>,
  note: BrowserNote,
  purpose: string,
): Promise<string> {
  const text = note.take(challengeNote);
  const posed = text === null ? null : (JSON.parse(text) as PasskeyChallenge);
  if (
    posed === null ||
    posed.purpose !== purpose ||
    posed.expiresMs <= app.clock.nowMs() ||
    !(await spendOnce(app.db, posed.challenge))
  ) {
    throw new AppError(
      'gone',
      'CHALLENGE_ENDED',
      'This took too long or was started in another browser. Please try again.',
    );
  }
  return posed.challenge;
}

/**
 * The challenge that an authenticator signs, for an unknown person: the authenticator knows its passkeys.
 * *Errors*: AppError limited.
 * *Source*: Web Authentication Level 3, 5.5.
 */
export async function getPasskeyRequest(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  note: BrowserNote,
  purpose: string,
  request: RequestFacts,
): Promise<Output<typeof accessContract.askForPasskey>> {
  await takeNetworkAllowance(app.db, passkeysPerNetwork, request.ip);
  return {
    challenge: createPasskeyChallenge(app, note, purpose),
    rpId: relyingPartyOf(app.config).id,
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
  };
}

type Answer = Input<typeof accessContract.verifyPasskey>['body']['passkey'];

/**
 * The owner of the passkey that signed this challenge for this address. It verified its holder (PIN, finger, face), so
 * both factors are proved at once. The use is counted. `owner` is the person whose it must be, if that is known.
 * *Errors*: AppError forbidden (PASSKEY_REFUSED), the same for an unknown one, another person's, a wrong answer, a copy.
 */
export async function provePasskey(
  app: Pick<App, 'db' | 'config' | 'log'>,
  proof: { challenge: string; answer: Answer; owner?: UserId; request: RequestFacts },
): Promise<UserId> {
  const { userHandle, ...assertion } = proof.answer;
  const passkey = await findPasskeyByCredential(app.db, Buffer.from(assertion.id, 'base64url'));
  if (!passkey || (proof.owner !== undefined && proof.owner !== passkey.user_id)) throw passkeyRefused();
  const { user_id: userId, name } = passkey;
  const isForThem = userHandle == null || userHandle === userHandleOf(userId);
  const signCount = isForThem ? await checkAssertion(app, proof.challenge, assertion, passkey.public_key) : null;
  if (signCount === null || !(await recordUse(app.db, passkey.id, signCount))) {
    const details = { name, reason: signCount === null ? 'answer' : 'copy' };
    await recordAccountEvent(app.db, { userId, kind: 'passkey-refused', request: proof.request, details });
    throw passkeyRefused();
  }
  return userId;
}

const passkeyRefused = () =>
  new AppError('forbidden', 'PASSKEY_REFUSED', "This passkey isn't registered or couldn't be verified.");

type Verify = typeof accessContract.verifyPasskey;

/**
 * Signs in the owner of a passkey. The device verified the person, so no second factor is asked for. *Errors*: AppError
 * gone (CHALLENGE_ENDED), forbidden (PASSKEY_REFUSED, NOT_AN_ADMIN), limited.
 */
export async function signInWithPasskey(
  app: Pick<App, 'db' | 'config' | 'clock' | 'log'>,
  { passkey, app: door = 'user' }: Input<Verify>['body'],
  note: BrowserNote,
  request: RequestFacts,
): Promise<Output<Verify>> {
  await takeNetworkAllowance(app.db, passkeysPerNetwork, request.ip);
  const challenge = await consumePasskeyChallenge(app, note, signInPurpose);
  const id = await provePasskey(app, { challenge, answer: passkey, request });
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, id);
    // removed since it was checked: the removal ended the sessions that it opened, and must prevent new ones
    if (!(await findPasskeyByCredential(tx, Buffer.from(passkey.id, 'base64url')))) throw passkeyRefused();
    return finishSignIn(tx, { id }, { method: 'passkey', secondFactor: true, door, request });
  });
}

/** The passkeys of a person, the oldest first. */
export async function listOwnPasskeys(
  app: Pick<App, 'db'>,
  actor: Actor,
): Promise<Output<typeof accessContract.listPasskeys>> {
  const rows = await listPasskeys(app.db, actor);
  return {
    passkeys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      synced: row.is_synced,
      createdAt: row.created_at.epochMilliseconds,
      lastUsedAt: row.last_used_at?.epochMilliseconds ?? null,
    })),
  };
}

/**
 * The options with which an authenticator makes a passkey for this person. An authenticator that has one of them
 * already says so itself.
 * *Errors*: AppError forbidden (REAUTHENTICATE).
 * *Source*: Web Authentication Level 3, 5.4.
 */
export async function getPasskeyOptions(
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
    challenge: createPasskeyChallenge(app, note, addingPurpose(actor)),
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
  const challenge = await consumePasskeyChallenge(app, note, addingPurpose(actor));
  const made = await checkAttestation(app, challenge, passkey);
  if (made === null) {
    throw new AppError('invalid', 'PASSKEY_REFUSED', "Your device's response couldn't be verified. Nothing was added.");
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
    if (outcome === 'taken') throw new AppError('conflict', 'PASSKEY_KNOWN', 'This passkey was already added.');
    if (outcome === 'full') {
      const message = `You can have up to ${passkeysPerAccount} passkeys. Remove one you no longer use.`;
      throw new AppError('conflict', 'TOO_MANY_PASSKEYS', message);
    }
    await notifyOfSignInMethod(app, tx, actor.userId, { kind: 'passkey-added', name }, request);
  });
  return { id, name };
}

/** Another name for one of one's own passkeys. *Errors*: AppError not-found. */
export function renamePasskey(
  app: Pick<App, 'db'>,
  actor: Actor,
  { id, name: typed }: { id: PasskeyId; name: string },
  request: RequestFacts,
): Promise<{ id: PasskeyId; name: string }> {
  const name = typed.normalize('NFC').trim();
  return inTransaction(app.db, async (tx) => {
    const before = await updatePasskeyName(tx, actor, id, name);
    if (before === undefined) throw new AppError('not-found', 'NOT_FOUND', 'This passkey was removed.');
    const details = { before, name };
    if (name !== before) {
      await recordAccountEvent(tx, { userId: actor.userId, kind: 'passkey-renamed', request, details });
    }
    return { id, name };
  });
}

/**
 * Forgets one of one's own passkeys: it opens nothing any more, and the person's other sessions end, as any of them may
 * be its work.
 * *Errors*: AppError forbidden (REAUTHENTICATE), not-found, conflict (LAST_WAY_IN).
 */
export async function removePasskey(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  id: PasskeyId,
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    await lockSignInMethods(tx, actor.userId);
    await lockUser(tx, actor.userId); // a sign-in by it that has begun ends first, or finds it gone
    const name = await deletePasskey(tx, actor, id);
    if (name === undefined) throw new AppError('not-found', 'NOT_FOUND', 'This passkey was already removed.');
    await requireSignInMethod(app, tx, actor.userId);
    await endSessions(tx, actor.userId, { except: actor.sessionId });
    await notifyOfSignInMethod(app, tx, actor.userId, { kind: 'passkey-removed', name }, request);
  });
}
