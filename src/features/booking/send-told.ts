import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { bookingsTopic } from './events.ts';
import type { ToldBooking } from './rules/told-booking.ts';
import { insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';
import { dropLapsed, listUntold, noteLapsed } from './store/lapsed-invitations.ts';
import { noteOrganizer } from './store/told-bookings.ts';

/**
 * Sends mails about a booking. Its history tells the host of mails that did not go out to unproved addresses.
 * `endOf`: the mail that ends the invitation of a reader who does not get this one; null where they have none. An invitation
 * ends once.
 */
export async function sendTold(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  { id, userId }: Pick<Booking, 'id' | 'userId'>,
  mails: readonly MailMessage[],
  endOf: (mail: MailMessage) => MailMessage | null = () => null,
): Promise<void> {
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
  const count = withheld.filter(({ key }) => !told.has(key)).length;
  if (count === 0) return;
  const atMs = app.clock.nowMs();
  await insertAudit(tx, { bookingId: id, atMs, actor: 'system', kind: 'mail-withheld', details: { count } });
  await app.feed.publish(tx, userId, bookingsTopic);
}

export interface MailsInTurn {
  /** To guests who were brought along. */
  brought: readonly MailMessage[];
  /** To the booker and the hosts. They name the guests whom no mail could invite. */
  others: (untold: readonly string[]) => readonly MailMessage[];
}

/**
 * Sends mails to guests who were brought along first: the limit may keep an invitation back, and the others are told of that.
 */
export async function sendInTurn(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  { id, host, guests, untold }: ToldBooking,
  { brought, others }: MailsInTurn,
  endOf?: (mail: MailMessage) => MailMessage | null,
): Promise<void> {
  const booking = { id, userId: host.id };
  await sendTold(app, tx, booking, brought, endOf);
  const isInvited = brought.some(({ calendar }) => calendar?.method === 'REQUEST');
  await sendTold(app, tx, booking, others(isInvited ? await listUntold(tx, id, guests) : untold), endOf);
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
