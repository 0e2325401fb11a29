import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import { recentProofMinutes } from './rules/session.ts';

/**
 * Lets only somebody through who has proved within the last ten minutes who they are: an open browser is not enough to
 * take an account over. The browser then asks and repeats the act (`useReauthentication`).
 * *Errors*: AppError forbidden (REAUTHENTICATE); declare it in the endpoint's contract.
 */
export function demandRecentProof(actor: Actor): void {
  if (actor.provedRecently) return;
  throw new AppError(
    'forbidden',
    'REAUTHENTICATE',
    `This needs a proof of who you are from the last ${recentProofMinutes} minutes. Nothing was changed.`,
  );
}
