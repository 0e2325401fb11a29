import { resumeUser } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { actOnUser } from './act-on-user.ts';

/** *Errors*: as `actOnUser`. */
export async function resume(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_resumption', reason, request }, (tx) =>
    resumeUser(app, tx, userId),
  );
}
