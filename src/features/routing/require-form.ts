import type { FormId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { demandOwn, type Need, noSuchForm } from './demand-own.ts';
import type { FormOwner } from './rules/form-owner.ts';
import { type Form, findForm } from './store/form-rows.ts';

/** A form of theirs, or of a team in which they may do this. *Errors*: AppError not-found, forbidden. */
export async function requireForm(
  db: Database,
  actor: { userId: UserId },
  id: FormId,
  need: Need,
): Promise<Form & FormOwner> {
  const form = (await findForm(db, id)) as (Form & FormOwner) | null;
  if (form === null) throw noSuchForm();
  await demandOwn(db, actor, form, need);
  return form;
}
