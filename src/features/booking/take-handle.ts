import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';
import type { Tx } from '#platform/db.ts';
import { handleRestDays, isReserved, lookOf, mostResting } from './rules/handle.ts';
import { findHandleOf, insertHandle, listResting, restHandle } from './store/handles.ts';

/**
 * A person or a team takes a name; whoever asks holds them. The one before rests: it leads on to them and is nobody
 * else's, so few changes are free at a time. False where they have it already.
 * *Errors*: AppError invalid (`HANDLE_RESERVED`), conflict (`HANDLE_TAKEN`, `HANDLE_CHANGES`).
 */
export async function takeHandle(
  tx: Tx,
  owner: { userId: UserId } | { teamId: TeamId },
  handle: string,
): Promise<boolean> {
  if (isReserved(handle))
    throw new AppError('invalid', 'HANDLE_RESERVED', 'This name is reserved. Choose another one.');
  const ownerId = 'userId' in owner ? owner.userId : owner.teamId;
  const before = await findHandleOf(tx, ownerId);
  if (before === handle) return false;
  const resting = await listResting(tx, ownerId);
  const comesBack = [before, ...resting.map((one) => one.handle)].some(
    (one) => one !== null && lookOf(one) === lookOf(handle),
  );
  if (before !== null && !comesBack && resting.length >= mostResting) throw tooManyChanges(resting.at(-1)?.freeMs ?? 0);
  await restHandle(tx, ownerId, handleRestDays);
  if (!(await insertHandle(tx, owner, handle, hashToken(lookOf(handle)))))
    throw new AppError(
      'conflict',
      'HANDLE_TAKEN',
      'This name, or one that looks like it, is taken. Choose another name.',
    );
  return true;
}

function tooManyChanges(freeMs: number): AppError {
  const day = Temporal.Instant.fromEpochMilliseconds(freeMs).toZonedDateTimeISO('UTC').toPlainDate().toString();
  return new AppError(
    'conflict',
    'HANDLE_CHANGES',
    `Your last ${mostResting} names still lead here. Choose one of them, or pick a new name from ${day}.`,
  );
}
