import { recordAccountEvent } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { PasskeyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { updatePasskeyName } from './store/passkeys.ts';

/** Another name for one of one's own passkeys. *Errors*: AppError not-found. */
export function renamePasskey(
  app: Pick<App, 'db'>,
  actor: Actor,
  { id, name: typed }: { id: PasskeyId; name: string },
  request: RequestFacts,
): Promise<{ id: PasskeyId; name: string }> {
  const name = typed.normalize('NFC').trim();
  return inTransaction(app.db, async (tx) => {
    const before = await updatePasskeyName(tx, actor, id, name);
    if (before === undefined) throw new AppError('not-found', 'NOT_FOUND', 'This passkey has been removed.');
    const details = { before, name };
    if (name !== before) {
      await recordAccountEvent(tx, { userId: actor.userId, kind: 'passkey-renamed', request, details });
    }
    return { id, name };
  });
}
