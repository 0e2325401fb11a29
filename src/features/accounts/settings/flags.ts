import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import { isInRollout } from '#kernel/rollout.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { recordAct } from '../audit/audit.ts';
import type { Flag, FlagName } from '../rules/flags.ts';
import { findFlag, putFlag } from '../store/flags.ts';

/** Whether the operator has something on for this person. */
export async function isFlagOn(db: Database, name: FlagName, userId: UserId): Promise<boolean> {
  const { enabled, rollout } = await findFlag(db, name);
  return enabled && isInRollout(name, userId, rollout);
}

/** *Errors*: AppError forbidden (SWITCHED_OFF); declare it in the endpoint's contract. */
export async function demandFlag(db: Database, name: FlagName, userId: UserId): Promise<void> {
  if (await isFlagOn(db, name, userId)) return;
  throw new AppError(
    'forbidden',
    'SWITCHED_OFF',
    'This feature is turned off for your account. Ask your administrator if you need it.',
  );
}

/** Switches a flag. Every process sees the change with its next read. */
export async function changeFlag(
  app: Pick<App, 'db'>,
  actor: Actor,
  { reason, ...flag }: Flag & { reason: string },
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await putFlag(tx, flag);
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'flag_change',
      subject: { kind: 'flag', id: flag.name },
      reason,
      request,
      details: { enabled: flag.enabled, rollout: flag.rollout },
    });
  });
}
