import type { Output } from '#kernel/contract.ts';
import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { contactsContract } from './contract.ts';
import { noContact } from './load-contact.ts';
import { findContact } from './store/contact-rows.ts';
import { listMeetings } from './store/meeting-rows.ts';
import { viewMeeting } from './view-contact.ts';

const pageRows = 50;

/** *Errors*: AppError not-found. */
export async function listContactMeetings(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  id: ContactId,
  before: string | undefined,
): Promise<Output<typeof contactsContract.listContactMeetings>> {
  if ((await findContact(db, userId, id)) === null) throw noContact();
  const beforeMs = before === undefined ? null : Temporal.Instant.from(before).epochMilliseconds;
  const rows = await listMeetings(db, id, { nowMs: clock.nowMs(), beforeMs, limit: pageRows + 1 });
  return { meetings: rows.slice(0, pageRows).map(viewMeeting), more: rows.length > pageRows };
}
