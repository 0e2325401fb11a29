import { demandRecentProof, lockUser, recordAct } from '#features/accounts/public.ts';
import type { AuditAction, AuditDetails } from '#features/accounts/rules/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';

export interface UserAct {
  action: AuditAction;
  reason: string;
  request: RequestFacts;
  details?: AuditDetails;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/**
 * Does something to somebody, with its line in the audit, in one transaction. `act` answers false where there was nothing
 * to do: then nothing is written down either.
 * *Errors*: AppError forbidden (REAUTHENTICATE), not-found, conflict (NOT_YOURSELF, ACCOUNT_LEAVING), and those of the act.
 */
export async function actOnUser<Result>(
  app: Pick<App, 'db'>,
  actor: Actor,
  userId: UserId,
  { action, reason, request, details }: UserAct,
  act: (tx: Tx, user: Locked) => Promise<Result>,
): Promise<Result> {
  demandRecentProof(actor);
  if (userId === actor.userId) {
    const message = 'Nobody does this to themselves: ask another administrator. Nothing was changed.';
    throw new AppError('conflict', 'NOT_YOURSELF', message);
  }
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
    if (user.leaving_at !== null) {
      throw new AppError('conflict', 'ACCOUNT_LEAVING', 'This account is being deleted already. Nothing was changed.');
    }
    const result = await act(tx, user);
    if (result === false) return result;
    const subject = { kind: 'user', id: userId } as const;
    await recordAct(tx, { actorId: actor.userId, action, subject, reason, request, details });
    return result;
  });
}
