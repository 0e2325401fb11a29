import { recordAct } from '#features/accounts/public.ts';
import { getExportFile } from '#features/takeout/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';

/** The file of an export for which a reason was given when it was asked for. *Errors*: AppError not-found. */
export async function takeExport(
  { db }: Pick<App, 'db'>,
  actor: Actor,
  { userId, exportId }: { userId: UserId; exportId: string },
  request: RequestFacts,
): Promise<FileAnswer> {
  const file = await getExportFile(db, { userId }, exportId);
  await inTransaction(db, (tx) =>
    recordAct(tx, {
      actorId: actor.userId,
      action: 'user_export',
      subject: { kind: 'user', id: userId },
      reason: null,
      request,
      details: { downloaded: true },
    }),
  );
  return file;
}
