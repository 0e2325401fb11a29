import type { App } from './app.ts';

/**
 * The server's half of Web Authentication: what an authenticator signed, checked. The library is loaded when the first
 * passkey is used: it brings 29 MB that most processes never need.
 */

type Checker = Pick<App, 'config' | 'log'>;

/** Whom an authenticator signs for: the address of this install, which it compares with the page that asks. */
export interface RelyingParty {
  /** The host alone. A passkey belongs to it for ever: under another address it is not found. */
  id: string;
  origin: string;
}

export function relyingPartyOf({ publicUrl }: Pick<App['config'], 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** EdDSA, ES256, RS256 (COSE): what authenticators have, the shortest signatures first. */
export const credentialAlgorithms = [-8, -7, -257] as const;

/** Texts in base64url, as the browser's `toJSON` gives them. */
export interface Attestation {
  id: string;
  clientDataJSON: string;
  attestationObject: string;
  transports: string[];
}

export interface Assertion {
  id: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

export interface NewCredential {
  id: Buffer;
  /** COSE. */
  publicKey: Buffer;
  signCount: number;
  /** Whether its provider has copied it to other devices. */
  isSynced: boolean;
}

/**
 * The credential that an authenticator made for this challenge and address, its person verified; null where the answer
 * does not show that. *Source*: Web Authentication Level 3, 7.1.
 */
export async function checkAttestation(
  app: Checker,
  challenge: string,
  { id, ...response }: Attestation,
): Promise<NewCredential | null> {
  const party = relyingPartyOf(app.config);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...credentialAlgorithms],
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      id: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      isSynced: credentialBackedUp,
    };
  } catch (error) {
    // Nearly everything that is wrong with an answer is thrown by the library.
    app.log.info({ err: error }, 'a new credential was refused');
    return null;
  }
}

/**
 * The authenticator's count of its uses, where the holder of this key signed this challenge for this address, its
 * person verified; null where the answer does not show that. Comparing the count is the caller's.
 * *Source*: Web Authentication Level 3, 7.2.
 */
export async function checkAssertion(
  app: Checker,
  challenge: string,
  { id, ...response }: Assertion,
  publicKey: Buffer,
): Promise<number | null> {
  const party = relyingPartyOf(app.config);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // 0 compares nothing: two answers side by side would both pass here.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    app.log.info({ err: error }, 'the answer of an authenticator was refused');
    return null;
  }
}
