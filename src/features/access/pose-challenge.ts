import type { App } from '#platform/app.ts';
import { mintToken } from '#platform/crypto.ts';
import type { BrowserNote } from '#platform/routes.ts';
import { challengeSeconds } from './rules/passkey.ts';

/** The sealed challenge that the browser keeps until its authenticator has answered. */
export interface PosedChallenge {
  challenge: string;
  purpose: string;
  expiresMs: number;
}

/** Among the notes that a browser keeps for us. */
export const challengeNote = 'passkey';

/**
 * A challenge for an authenticator: 256 random bits in base64url. It lies sealed in the browser that asked, so that
 * posing one costs no row and no other browser can answer; `takeChallenge` asks for the same `purpose`.
 */
export function poseChallenge(app: Pick<App, 'clock'>, note: BrowserNote, purpose: string): string {
  const challenge = mintToken();
  const expiresMs = app.clock.nowMs() + challengeSeconds * 1000;
  const posed: PosedChallenge = { challenge, purpose, expiresMs };
  note.leave(JSON.stringify(posed), challengeSeconds, challengeNote);
  return challenge;
}
