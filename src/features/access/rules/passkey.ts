import type { SessionId } from '#kernel/ids.ts';

export const passkeysPerAccount = 20;
/** An answer is waited for as long as people look for their key. */
export const challengeSeconds = 300;

/** One network asking for challenges and answering them; each answer costs a check of a signature. */
export const passkeysPerNetwork = { action: 'passkeys, network', burst: 100, periodSeconds: 900 };
/** One person proving again who they are, by whatever they have. A right proof gives it back. */
export const proofsPerAccount = { action: 'reauthentication, account', burst: 10, periodSeconds: 900 };

/** The user handle in an authenticator: the 16 bytes of the id, which tell nothing about the person. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Purposes of challenges. An answer is valid for one purpose and one session. */
export const signInPurpose = 'sign-in';
export const addingPurpose = ({ sessionId }: { sessionId: SessionId }) => `add ${sessionId}`;
export const proofPurpose = ({ sessionId }: { sessionId: SessionId }) => `proof ${sessionId}`;
