import type { Input, Output } from '#kernel/contract.ts';
import type { FormId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { routingContract } from './contract.ts';
import { requireForm } from './require-form.ts';
import { listSubmissionRows } from './store/submission-rows.ts';
import { viewSubmissions } from './view-submissions.ts';

/** Submissions of a form. Needs the right to see the team's bookings, as re-routing does. *Errors*: as `requireForm`. */
export async function listSubmissions(
  app: App,
  actor: Actor,
  id: FormId,
  { only, after, limit = 30 }: Input<typeof routingContract.listSubmissions>['query'],
): Promise<Output<typeof routingContract.listSubmissions>> {
  await requireForm(app.db, actor, id, 'see-bookings');
  const rows = await listSubmissionRows(app.db, id, { only: only ?? null, after: after ?? null, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return { submissions: await viewSubmissions(app, actor, shown), more: rows.length > shown.length };
}
