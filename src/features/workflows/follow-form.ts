import { listHosts } from '#features/accounts/public.ts';
import type { formSubmitted } from '#features/routing/events.ts';
import type { Announcement } from '#kernel/announcement.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import { runsTopic } from './events.ts';
import { planOther } from './plan-other.ts';
import { insertRuns } from './store/run-rows.ts';
import { listActiveOf, lockWorkflows } from './store/workflow-rows.ts';
import { tellOwner } from './tell-owner.ts';

type Submission = typeof formSubmitted extends Announcement<infer Heard> ? Heard : never;

/**
 * Plans what follows from a form's answers, in the transaction that keeps them: by workflows of the team whose form it is, or of
 * the person. Answers whether something is due at once.
 */
export async function followForm(app: ListenerApp, tx: Tx, heard: Submission): Promise<boolean> {
  const teamId = heard.teamId as TeamId | null;
  // of a team's workflows each names its maker
  const owner = { userId: heard.userId as UserId, teamId };
  await lockWorkflows(tx, owner, 'shared');
  const workflows = await listActiveOf(tx, owner, 'form-submitted');
  if (workflows.length === 0) return false;
  const makers = await listHosts(tx, [...new Set(workflows.map(({ userId }) => userId))]);
  const nowMs = app.clock.nowMs();
  const rows = workflows.flatMap((workflow) => {
    const zone = makers.get(workflow.userId)?.zone;
    if (zone === undefined) return [];
    const { name, email, phone } = heard;
    const said = [name, email, phone].some((one) => one !== null);
    const guest = said ? { name: name ?? '', email: email ?? '', phone, zone } : null;
    const answers = heard.answers.map(({ label, answer }) => ({ label, answer }));
    const facts = { kind: 'form' as const, form: heard.formName, answers, guest };
    return planOther(workflow, { subject: `submission ${heard.submissionId}`, occurrence: 0, facts }, nowMs, zone);
  });
  await insertRuns(tx, rows, nowMs);
  await tellOwner(app, tx, owner, runsTopic);
  return rows.some(({ dueMs }) => dueMs <= nowMs);
}
