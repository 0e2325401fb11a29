import { unplanCalendars } from '#features/calendar/public.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { planningWanted } from './events.ts';
import { appendAudit } from './store/audit.ts';

/** Plans all events of these calendars again after a change of a rule, with an audit line. */
export async function planAgain(
  app: App,
  tx: Tx,
  actor: Actor,
  calendarIds: CalendarId[],
  message: string,
): Promise<void> {
  await unplanCalendars(tx, calendarIds);
  await appendAudit(tx, [
    {
      userId: actor.userId,
      mirrorId: null,
      originItemId: null,
      type: 'mirror.rule_changed',
      actor: 'user',
      status: 'success',
      message,
    },
  ]);
  await app.news.announce(tx, planningWanted, { userId: actor.userId });
  await app.feed.publish(tx, actor.userId, 'mirrors');
}
