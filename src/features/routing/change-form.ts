import { isDeepStrictEqual } from 'node:util';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { FormId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkDefinition } from './check-definition.ts';
import type { routingContract } from './contract.ts';
import { lockOwn } from './demand-own.ts';
import { slugTaken } from './demand-room.ts';
import { requireForm } from './require-form.ts';
import { slugIsTaken, updateForm } from './store/form-rows.ts';
import { tellOwner } from './tell-owner.ts';

/**
 * Changes a form. Earlier submissions keep their decisions. A change without a difference makes no revision.
 * *Errors*: AppError invalid (`INVALID`), conflict (`STALE`, `SLUG_TAKEN`).
 */
export async function changeForm(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  actor: Actor,
  id: FormId,
  { revision, name, ...body }: Input<typeof routingContract.changeForm>['body'],
): Promise<void> {
  const form = await requireForm(app.db, actor, id, 'manage-routing');
  const { description, slug, definition } = form;
  const isSame = isDeepStrictEqual({ name: name.trim(), ...body }, { name: form.name, description, slug, definition });
  if (revision === form.revision && isSame) return;
  await checkDefinition(app.db, form, body.definition);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, form);
    if (!(await updateForm(tx, revision, { id, name: name.trim(), ...body }, app.clock.nowMs())))
      throw new AppError(
        'conflict',
        'STALE',
        'This form was changed elsewhere meanwhile. Nothing of yours was saved: look at it as it is now, and change it again.',
      );
    await tellOwner(app, tx, form);
  }).catch((error: unknown) => {
    throw slugIsTaken(error) ? slugTaken() : error;
  });
}
