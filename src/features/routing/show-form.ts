import { findHandleOf } from '#features/booking/public.ts';
import { may, requirePermission } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { FormId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { routingContract } from './contract.ts';
import { requireForm } from './require-form.ts';
import { toFormView } from './rules/form-view.ts';
import { countSubmissions } from './store/form-rows.ts';

/** A form as it is now, whole. *Errors*: as `requireForm`. */
export async function showForm(
  { db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>,
  actor: Actor,
  id: FormId,
): Promise<Output<typeof routingContract.readForm>> {
  const form = await requireForm(db, actor, id, 'see-team');
  const [handle, submissions, role] = await Promise.all([
    findHandleOf(db, form.teamId ?? form.userId),
    countSubmissions(db, id, clock.nowMs() - 30 * dayMs),
    form.teamId === null
      ? ('owner' as const)
      : requirePermission(db, actor, form.teamId, 'see-team').then((one) => one.role),
  ]);
  const seen = {
    base: config.publicUrl,
    handle,
    mayChange: may(role, 'manage-routing'),
    maySeeAnswers: may(role, 'see-bookings'),
  };
  return { form: toFormView(form, seen, submissions), definition: form.definition };
}
