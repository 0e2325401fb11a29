import { listTypesOf } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Database } from '#platform/db.ts';
import type { Action } from './rules/action.ts';
import type { FormOwner } from './rules/form-owner.ts';
import { judgeAction } from './rules/judge-action.ts';

/** Refuses an action that leads to what is not there. *Errors*: AppError invalid (`INVALID`) with the field. */
export async function checkAction(db: Database, owner: FormOwner, action: Action): Promise<void> {
  if (action.kind !== 'event-type') return;
  const target = (await listTypesOf(db, owner)).find(({ id }) => id === action.event_type_id);
  const wrong = judgeAction(action, target, 'conditional');
  if (wrong !== null)
    throw new AppError('invalid', 'INVALID', wrong.message, { fields: { [`action.${wrong.field}`]: wrong.message } });
}
