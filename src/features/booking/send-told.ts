import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { listUntold } from './brought/untold-guests.ts';
import { bookingsTopic } from './events.ts';
import type { ToldBooking } from './rules/told-booking.ts';
import { insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';
import { dropLapsed, noteInformed, noteLapsed } from './store/lapsed-invitations.ts';
import { noteOrganizer } from './store/told-bookings.ts';

/**
 * Sends mails about a booking. Its history tells the host of mails that did not go out to unproved addresses.
 * The answer names the readers of those, in lower case.
 * `endOf`: the mail that ends the invitation of a reader who does not get this one; null where they have none. An invitation
 * ends once.
 */
export async function sendTold(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  { id, userId }: Pick<Booking, 'id' | 'userId'>,
  mails: readonly MailMessage[],
  endOf: (mail: MailMessage) => MailMessage | null = () => null,
): Promise<ReadonlySet<string>> {
  const withheld = await app.mail.sendAll(tx, mails);
  const isWithheld = new Set(withheld);
  const invited = mails.filter((mail) => mail.calendar?.method === 'REQUEST' && !isWithheld.has(mail));
  if (invited.length > 0) await dropLapsed(tx, id, invited.map(readerOf));
  // a link that is not told leaves an invitation as true as it was
  const lost = withheld.filter(({ kind, calendar }) => calendar !== undefined && kind !== 'booking.linked');
  const ending = lost.length === 0 ? new Set() : await noteLapsed(tx, id, lost.map(readerOf));
  const ends = lost.filter((mail) => ending.has(readerOf(mail))).flatMap((mail) => endOf(mail) ?? []);
  const unsent = new Set((await app.mail.sendAll(tx, ends)).map(({ key }) => key));
  const told = new Set(ends.map(({ key }) => key).filter((key) => !unsent.has(key)));
  await noteInformed(tx, id, withheld.filter(({ key }) => told.has(key)).map(readerOf));
  const missed = withheld.filter(({ key }) => !told.has(key));
  const count = missed.length;
  if (count === 0) return new Set();
  const atMs = app.clock.nowMs();
  await insertAudit(tx, { bookingId: id, atMs, actor: 'system', kind: 'mail-withheld', details: { count } });
  await app.feed.publish(tx, userId, bookingsTopic);
  return new Set(missed.map(readerOf));
}

export interface MailsInTurn {
  /** To guests who were brought along. */
  brought: readonly MailMessage[];
  /** To the booker and the hosts. They name the guests whom no mail could reach. */
  others: (untold: readonly string[]) => readonly MailMessage[];
}

/**
 * Sends mails to guests who were brought along first: the limit may keep a mail back, and the others are told of that.
 */
export async function sendInTurn(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  { id, host, guests }: ToldBooking,
  { brought, others }: MailsInTurn,
  endOf?: (mail: MailMessage) => MailMessage | null,
): Promise<void> {
  const booking = { id, userId: host.id };
  const missed = await sendTold(app, tx, booking, brought, endOf);
  const lapsed = await listUntold(tx, { id, guests });
  const untold = guests.filter((one) => lapsed.includes(one) || missed.has(one.toLowerCase()));
  await sendTold(app, tx, booking, others(untold), endOf);
}

/** An invitation decides who organizes the booking in calendars from then on. */
export async function sendMails(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  told: ToldBooking,
  mails: MailsInTurn,
  endOf?: (mail: MailMessage) => MailMessage | null,
): Promise<void> {
  if ([...mails.brought, ...mails.others(told.untold)].some(({ calendar }) => calendar !== undefined))
    await noteOrganizer(tx, told.ids, told.organizer);
  await sendInTurn(app, tx, told, mails, endOf);
}

const readerOf = ({ to }: MailMessage) => to.toLowerCase();
