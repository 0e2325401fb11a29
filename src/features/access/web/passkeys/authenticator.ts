import type { accessContract } from '#features/access/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';

/**
 * The browser's half of Web Authentication. The platform itself turns JSON into what an authenticator takes and back
 * (Chromium 129, Firefox 119, Safari 18.4): a library for older ones would be 5 KB for everybody.
 */

export type Assertion = CallInput<typeof accessContract.verifyPasskey>['body']['passkey'];
export type Attestation = CallInput<typeof accessContract.addPasskey>['body']['passkey'];
type AssertionRequest = Output<typeof accessContract.askForPasskey>;
type Offer = Output<typeof accessContract.offerPasskey>;

/** Why nothing came of it. */
export type PasskeyProblem = 'cancelled' | 'known' | 'address' | 'other';

export class PasskeyError extends Error {
  readonly problem: PasskeyProblem;
  constructor(problem: PasskeyProblem, cause: unknown) {
    super(problem, { cause });
    this.name = 'PasskeyError';
    this.problem = problem;
  }
}

/** Absent on plain http too, other than on the machine itself. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Asks the person for one of their passkeys. *Errors*: PasskeyError. */
export async function signWithPasskey(request: AssertionRequest): Promise<Assertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request);
  const { id, response } = await ask(() => navigator.credentials.get({ publicKey }));
  const { clientDataJSON = '', authenticatorData = '', signature = '', userHandle } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null };
}

/** Has a passkey made. *Errors*: PasskeyError, `known` where this device has one of the account already. */
export async function makePasskey(offer: Offer): Promise<Attestation> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(offer);
  const { id, response } = await ask(() => navigator.credentials.create({ publicKey }));
  const { clientDataJSON = '', attestationObject = '', transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports: transports.slice(0, 8) };
}

interface CredentialJson {
  id: string;
  response: {
    clientDataJSON?: string;
    authenticatorData?: string;
    signature?: string;
    userHandle?: string | null;
    attestationObject?: string;
    transports?: string[];
  };
}

const problemOf: Readonly<Record<string, PasskeyProblem>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'known',
  SecurityError: 'address',
};

async function ask(act: () => Promise<Credential | null>): Promise<CredentialJson> {
  try {
    const credential = await act();
    if (credential === null) throw new PasskeyError('cancelled', null);
    return (credential as PublicKeyCredential).toJSON() as CredentialJson;
  } catch (error) {
    if (error instanceof PasskeyError) throw error;
    throw new PasskeyError((error instanceof DOMException && problemOf[error.name]) || 'other', error);
  }
}
