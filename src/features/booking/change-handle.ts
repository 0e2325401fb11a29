import { lockUser } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import { handleRestDays, isReserved, lookOf, mostResting } from './rules/handle.ts';
import { findHandleOf, insertHandle, listResting, restHandle } from './store/handles.ts';

/**
 * Takes a name. The one before rests: it leads on to its person and is nobody else's, so few changes are free at a time.
 * *Errors*: AppError invalid (`HANDLE_RESERVED`), conflict (`HANDLE_TAKEN`, `HANDLE_CHANGES`).
 */
export async function changeHandle(app: App, { userId }: Actor, handle: string): Promise<void> {
  if (isReserved(handle))
    throw new AppError('invalid', 'HANDLE_RESERVED', 'This name is kept for the product. Choose another one.');
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId); // two changes of one person come one after the other
    const before = await findHandleOf(tx, userId);
    if (before === handle) return;
    const resting = await listResting(tx, userId);
    const comesBack = [before, ...resting.map((one) => one.handle)].some(
      (one) => one !== null && lookOf(one) === lookOf(handle),
    );
    if (before !== null && !comesBack && resting.length >= mostResting)
      throw tooManyChanges(resting.at(-1)?.freeMs ?? 0);
    await restHandle(tx, userId, handleRestDays);
    if (!(await insertHandle(tx, userId, handle, hashToken(lookOf(handle)))))
      throw new AppError('conflict', 'HANDLE_TAKEN', 'Somebody has this name, or one that looks like it.');
    await app.feed.publish(tx, userId, typesTopic);
  });
}

function tooManyChanges(freeMs: number): AppError {
  const day = Temporal.Instant.fromEpochMilliseconds(freeMs).toZonedDateTimeISO('UTC').toPlainDate().toString();
  return new AppError(
    'conflict',
    'HANDLE_CHANGES',
    `Your last ${mostResting} names still lead to you. Take one of them again, or a new one from ${day} on.`,
  );
}
