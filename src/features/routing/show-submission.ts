import type { Output } from '#kernel/contract.ts';
import type { SubmissionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { routingContract } from './contract.ts';
import { requireSubmission } from './require-submission.ts';
import { viewSubmissions } from './view-submissions.ts';

/** *Errors*: as `requireSubmission`. */
export async function showSubmission(
  app: App,
  actor: Actor,
  id: SubmissionId,
): Promise<Output<typeof routingContract.readSubmission>> {
  const { submission } = await requireSubmission(app.db, actor, id, 'see-bookings');
  const [view] = await viewSubmissions(app, actor, [submission]);
  if (view === undefined) throw new Error('one of one is missing');
  return { submission: view };
}
