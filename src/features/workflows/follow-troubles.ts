import { listCalendarNames, listUnwell } from '#features/connections/public.ts';
import { countFailedByCalendar, listLostAccounts } from '#features/sync/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type Happened, planOther } from './plan-other.ts';
import { insertRuns } from './store/run-rows.ts';
import { listActiveByTrigger } from './store/workflow-rows.ts';

interface Trouble extends Happened {
  userId: UserId;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Plans what follows from accounts that were disconnected and from blocks that could not be written, for those who have a
 * workflow for it. By what is so: asked again, it is the same run. An account begins one for each time it is lost, blocks one
 * a day for each calendar that they could not be written to.
 */
export async function followTroubles(app: App): Promise<void> {
  const nowMs = app.clock.nowMs();
  const workflows = await listActiveByTrigger(app.db, ['calendar-disconnected', 'mirror-failed']);
  if (workflows.length === 0) return;
  const userIds = [...new Set(workflows.map(({ userId }) => userId))];
  const [lost, unwell, failed] = await Promise.all([
    listLostAccounts(app.db, userIds),
    listUnwell(app.db),
    countFailedByCalendar(app.db, userIds),
  ]);
  const names = await listCalendarNames(
    app.db,
    failed.map(({ calendarId }) => calendarId),
  );
  const happened: Record<string, Trouble[]> = {
    'calendar-disconnected': lost.flatMap(({ userId, connectionId, sinceMs }) => {
      const account = unwell.find(({ id }) => id === connectionId);
      if (account === undefined) return [];
      const facts = { kind: 'calendar' as const, account: account.label, problem: account.message ?? '' };
      return [{ userId, subject: `connection ${connectionId}`, occurrence: Math.floor(sinceMs / minuteMs), facts }];
    }),
    'mirror-failed': failed.map(({ userId, calendarId, count, message }) => ({
      userId,
      subject: `mirrors ${calendarId}`,
      occurrence: Math.floor(nowMs / dayMs),
      facts: {
        kind: 'calendar' as const,
        account: names.get(calendarId) ?? '',
        problem: `${count} × ${message ?? '?'}`,
      },
    })),
  };
  const rows = workflows.flatMap((workflow) =>
    (happened[workflow.definition.trigger] ?? [])
      .filter(({ userId }) => userId === workflow.userId)
      .flatMap((one) => planOther(workflow, one, nowMs, 'UTC')),
  );
  await inTransaction(app.db, (tx) => insertRuns(tx, rows, nowMs));
}
