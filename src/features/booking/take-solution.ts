import { extractParams, verifySolution } from 'altcha-lib/v1';
import type { EventTypeId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type Allowance, takeAllowances } from '#platform/limits.ts';
import { challengeKey, readSolution } from './rules/booking-challenge.ts';

const once: Allowance = { action: 'booking challenge', burst: 1, periodSeconds: 600 };

/** Whether this is the solution of a challenge of ours for this event type; each counts once. */
export async function takeSolution(
  { db, keyring, clock }: Pick<App, 'db' | 'keyring' | 'clock'>,
  eventTypeId: EventTypeId,
  text: string,
): Promise<boolean> {
  const solution = readSolution(text);
  if (solution === null) return false;
  // the library would compare with the clock of the machine
  if (!(await verifySolution(solution, keyring.derive(challengeKey).toString('base64'), false))) return false;
  const { type, until } = extractParams(solution);
  if (type !== eventTypeId || !(Number(until) > clock.nowMs())) return false;
  return (await takeAllowances(db, once, [solution.challenge])).has(solution.challenge);
}
