import { demandRecentProof, recordAct } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { updateEnded } from './store/codes.ts';

/** Who has used it keeps what it gave. *Errors*: as `demandRecentProof`; AppError not-found. */
export async function endCode(
  app: Pick<App, 'db'>,
  actor: Actor,
  { code_id: id, reason }: { code_id: string; reason: string },
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    if (!(await updateEnded(tx, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such code that could still be used.');
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'code_ending',
      subject: { kind: 'code', id },
      reason,
      request,
    });
  });
}
