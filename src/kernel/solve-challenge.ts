import { solveChallenge } from 'altcha-lib/v1';
import type { Challenge } from 'altcha-lib/v1/types';

/** Field of a form that the script of its page fills in; empty where there is no script. No question is called so. */
export const solutionField = 'own.solution';

/** Whether this browser can: pages without https have no hashing. */
export const canSolve = () => globalThis.crypto?.subtle !== undefined;

/** Finds the number that a challenge hides, hash by hash; other work of the page goes in between. Null: there is none. */
export async function solve(text: string): Promise<string | null> {
  const { algorithm, challenge, maxnumber, salt, signature } = JSON.parse(text) as Challenge;
  const found = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
  return found === null ? null : JSON.stringify({ algorithm, challenge, number: found.number, salt, signature });
}
