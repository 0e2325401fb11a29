import type { ContactId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { followUpsADay } from './rules/contact-limits.ts';
import { hasBooked } from './store/meeting-rows.ts';
import { countFollowUps } from './store/note-rows.ts';

const dayMs = 86_400_000;

/**
 * Whether a mail to a contact can leave from here. Only to whoever has booked with this person, who gave their address for
 * that; anybody else's would make the server write to strangers for whoever asks.
 */
export async function judgeFollowUp(
  { mail, clock }: Pick<App, 'mail' | 'clock'>,
  db: Database,
  userId: UserId,
  id: ContactId,
): Promise<'here' | 'no-mail-server' | 'never-booked' | 'limit'> {
  if (mail.transport === null) return 'no-mail-server';
  if (!(await hasBooked(db, id))) return 'never-booked';
  const { all, one } = await countFollowUps(db, userId, id, clock.nowMs() - dayMs);
  return all >= followUpsADay.all || one >= followUpsADay.one ? 'limit' : 'here';
}
