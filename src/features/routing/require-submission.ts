import { AppError } from '#kernel/errors.ts';
import type { SubmissionId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Need } from './demand-own.ts';
import { requireForm } from './require-form.ts';
import type { FormOwner } from './rules/form-owner.ts';
import type { Form } from './store/form-rows.ts';
import { findSubmission, type Submission } from './store/submission-rows.ts';

/** A submission of the caller's form, or of a team that permits it. *Errors*: AppError not-found, forbidden. */
export async function requireSubmission(
  db: Database,
  actor: { userId: UserId },
  id: SubmissionId,
  need: Need,
): Promise<{ submission: Submission; form: Form & FormOwner }> {
  const submission = await findSubmission(db, id);
  if (submission === null)
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such submission, or it was kept long enough.');
  return { submission, form: await requireForm(db, actor, submission.formId, need) };
}
