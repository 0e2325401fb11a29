import { solveChallenge } from 'altcha-lib/v1';
import type { Challenge } from 'altcha-lib/v1/types';

/** Whether this browser can: pages without https have no hashing. */
export const canSolve = () => globalThis.crypto?.subtle !== undefined;

/** Finds the number that a challenge hides, hash by hash; other work of the page goes in between. Null: there is none. */
export async function solve(text: string): Promise<string | null> {
  const { algorithm, challenge, maxnumber, salt, signature } = JSON.parse(text) as Challenge;
  const found = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
  return found === null ? null : JSON.stringify({ algorithm, challenge, number: found.number, salt, signature });
}
