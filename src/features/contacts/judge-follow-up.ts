import { listUnproved } from '#features/booking/public.ts';
import type { ContactId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { followUpsADay } from './rules/contact-limits.ts';
import { countFollowUps } from './store/note-rows.ts';

const dayMs = 86_400_000;

/**
 * Whether a mail to a contact can leave from here. Its text is free, so it goes only to somebody who has booked with this
 * person and has confirmed the address. A booking alone shows nothing: a host can book any address on their own page.
 */
export async function judgeFollowUp(
  { mail, clock }: Pick<App, 'mail' | 'clock'>,
  db: Database,
  userId: UserId,
  { id, address }: { id: ContactId; address: string },
): Promise<'here' | 'no-mail-server' | 'never-booked' | 'limit'> {
  if (mail.transport === null) return 'no-mail-server';
  if ((await listUnproved(db, [userId], [address])).length > 0) return 'never-booked';
  const { all, one } = await countFollowUps(db, userId, id, clock.nowMs() - dayMs);
  return all >= followUpsADay.all || one >= followUpsADay.one ? 'limit' : 'here';
}
