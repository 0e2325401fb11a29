import { createExport } from '#features/takeout/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { actOnUser } from './act-on-user.ts';

/** For its person, who finds it under their profile, and for whoever has to hand it to them. *Errors*: as `actOnUser`. */
export async function exportUser(
  app: Pick<App, 'db' | 'feed' | 'jobs'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_export', reason, request }, (tx) =>
    createExport(app, tx, userId, null),
  );
}
