import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { FormId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { FormOwner } from './rules/form-owner.ts';
import { type Form, findForm } from './store/form-rows.ts';

export type Need = 'see-team' | 'see-bookings' | 'manage-routing';

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

/** *Errors*: AppError not-found, forbidden. */
export async function demandOwn(
  db: Database,
  actor: { userId: UserId },
  { userId, teamId }: FormOwner,
  need: Need,
): Promise<void> {
  if (teamId !== null) await requirePermission(db, actor, teamId, need);
  else if (userId !== actor.userId) throw noSuchForm();
}

const noSuchForm = () => new AppError('not-found', 'NOT_FOUND', 'There is no such form.');
