import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import * as z from 'zod/mini';
import { AppError } from '#kernel/errors.ts';
import type { App } from './app.ts';
import { type Allowance, takeAllowance, takeAllowances } from './limits.ts';

/**
 * A calculation that a browser does under load before something is stored or mailed for a stranger. The challenge comes
 * from this server, names its purpose, and counts once.
 */
type WorkApp = Pick<App, 'db' | 'keyring' | 'clock'>;

/** Half of so many hashes on average: about a second of a phone, and nothing that a person has to do. */
const mostTries = 60_000;
const usableMs = 300_000;
const once: Allowance = { action: 'proof of work', burst: 1, periodSeconds: 600 };

/** Signed fields are ours only once their signature is checked; the algorithm is no choice of the sender. */
const solutionShape = z.strictObject({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  number: z.int().check(z.gte(0), z.lte(mostTries)),
  salt: z.string().check(z.maxLength(200)),
  signature: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

const keyOf = ({ keyring }: Pick<App, 'keyring'>) => keyring.derive('proof of work').toString('base64');

/** JSON that a browser has to solve. `purpose` names a form and what it is for, e.g. `form 0198…`. */
export async function makeChallenge(app: Pick<App, 'keyring' | 'clock'>, purpose: string): Promise<string> {
  const challenge = await createChallenge({
    hmacKey: keyOf(app),
    maxnumber: mostTries,
    params: { for: purpose, until: String(app.clock.nowMs() + usableMs) },
  });
  return JSON.stringify(challenge);
}

/** Whether this is the solution of a challenge of ours for this purpose; each counts once. */
export async function takeSolution(app: WorkApp, purpose: string, text: string): Promise<boolean> {
  const solution = readSolution(text);
  if (solution === null) return false;
  // the library would compare with the clock of the machine
  if (!(await verifySolution(solution, keyOf(app), false))) return false;
  const { for: madeFor, until } = extractParams(solution);
  if (madeFor !== purpose || !(Number(until) > app.clock.nowMs())) return false;
  return (await takeAllowances(app.db, once, [solution.challenge])).has(solution.challenge);
}

/** A solution as a browser sends it; null for anything else. */
function readSolution(text: string): z.output<typeof solutionShape> | null {
  try {
    return z.decode(solutionShape, JSON.parse(text) as z.input<typeof solutionShape>);
  } catch {
    return null;
  }
}

export interface Busy {
  purpose: string;
  /** The allowance of all senders together without work. */
  quiet: Allowance;
  /** The allowance beyond it of browsers that cannot calculate. */
  plain: Allowance;
}

/**
 * Under load, demands work before something is stored or mailed. `solution`: undefined at the first attempt, empty from a
 * sender who cannot calculate.
 * *Errors*: AppError conflict (CHALLENGE, with the challenge in `fields`), limited.
 */
export async function demandWork(app: WorkApp, { purpose, quiet, plain }: Busy, solution?: string): Promise<void> {
  if (solution !== undefined && solution !== '' && (await takeSolution(app, purpose, solution))) return;
  if ((await takeAllowances(app.db, quiet, [purpose])).has(purpose)) return;
  if (solution === '') return takeAllowance(app.db, plain, purpose);
  throw challengeWanted(await makeChallenge(app, purpose));
}

export const challengeWanted = (challenge: string): AppError =>
  new AppError(
    'conflict',
    'CHALLENGE',
    'This page is busier than usual. Your browser needs to run a short check first.',
    { fields: { challenge } },
  );
