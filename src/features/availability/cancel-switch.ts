import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { deleteDefault } from './store/defaults.ts';
import { tellChange } from './tell-change.ts';

/** Lets a policy not become the default later. What has begun already stays. *Errors*: not-found. */
export function cancelSwitch(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  from: string,
): Promise<void> {
  const fromMs = Temporal.Instant.from(from).epochMilliseconds;
  return inTransaction(app.db, async (tx) => {
    const isAhead = fromMs > app.clock.nowMs();
    if (!isAhead || !(await deleteDefault(tx, userId, fromMs)))
      throw new AppError('not-found', 'NOT_FOUND', 'No change of policy is planned for then.');
    await tellChange(app, tx, userId);
  });
}
