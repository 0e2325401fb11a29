import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { listStopped } from '#platform/recipients.ts';
import { listUntold } from './brought/untold-guests.ts';
import { bookingsTopic } from './events.ts';
import type { ToldBooking } from './rules/told-booking.ts';
import type { KnownVersion } from './rules/who-is-told.ts';
import { insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';
import { dropLapsed, noteInformed, noteLapsed } from './store/lapsed-invitations.ts';
import { noteOrganizer } from './store/told-bookings.ts';
import { dropWaiting, listStarts, noteWaiting } from './telling/store.ts';

/** The fate of mails that the limit keeps back from readers who hold an invitation. */
export interface Withholding {
  /** The end of the invitation, which goes out whatever the limit; null where the mail is no end. */
  endOf: (mail: MailMessage) => MailMessage | null;
  /** The versions that readers were told of before: other mails wait until the limit has room, and until then these count. */
  held: readonly { id: BookingId; holds: KnownVersion }[];
  /** True: the history has these mails already. */
  isRetry?: boolean;
}

/** A mail that waits is tried again after this. */
const againMs = 15 * 60_000;
/** So long before a meeting begins, one more mail goes out. */
export const soonMs = 2 * 3_600_000;

/**
 * Sends mails about a booking. Its history tells the host of mails that did not go out to unproved addresses.
 * The answer names the readers of those, in lower case. An invitation ends once.
 */
export async function sendTold(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  { id, userId }: Pick<Booking, 'id' | 'userId'>,
  mails: readonly MailMessage[],
  withholding: Withholding = { endOf: () => null, held: [] },
): Promise<ReadonlySet<string>> {
  const { endOf, held, isRetry = false } = withholding;
  const { waits, withheld } = await sendOrWait(app, tx, mails, withholding);
  const isWithheld = new Set([...waits, ...withheld]);
  const reached = mails.filter((mail) => mail.calendar !== undefined && !isWithheld.has(mail));
  const invited = reached.filter(({ calendar }) => calendar?.method === 'REQUEST');
  if (invited.length > 0) await dropLapsed(tx, id, invited.map(readerOf));
  const ids = held.length === 0 ? [id] : held.map((one) => one.id);
  // a link that is not told leaves an invitation as true as it was
  const lost = withheld.filter(({ kind, calendar }) => calendar !== undefined && kind !== 'booking.linked');
  const ending = lost.length === 0 ? new Set() : await noteLapsed(tx, id, lost.map(readerOf));
  if (reached.length + lost.length > 0) await dropWaiting(tx, ids, [...reached, ...lost].map(readerOf));
  const ends = lost.filter((mail) => ending.has(readerOf(mail))).flatMap((mail) => endOf(mail) ?? []);
  const unsent = new Set((await app.mail.sendAll(tx, ends)).map(({ key }) => key));
  const told = new Set(ends.map(({ key }) => key).filter((key) => !unsent.has(key)));
  await noteInformed(tx, id, withheld.filter(({ key }) => told.has(key)).map(readerOf));
  const missed = [...waits, ...withheld.filter(({ key }) => !told.has(key))];
  const count = missed.length;
  if (count === 0) return new Set();
  const atMs = app.clock.nowMs();
  if (!isRetry)
    await insertAudit(tx, { bookingId: id, atMs, actor: 'system', kind: 'mail-withheld', details: { count } });
  await app.feed.publish(tx, userId, bookingsTopic);
  return new Set(missed.map(readerOf));
}

/** Sends as many mails as the limit allows. A reader who keeps an invitation gets the others later. */
async function sendOrWait(
  { clock, mail: { sendAll } }: Pick<App, 'clock' | 'mail'>,
  tx: Tx,
  mails: readonly MailMessage[],
  { endOf, held }: Withholding,
): Promise<{ waits: readonly MailMessage[]; withheld: readonly MailMessage[] }> {
  const withheld = await sendAll(tx, mails);
  const followUps = withheld.filter(
    (mail) => held.length > 0 && mail.calendar !== undefined && mail.unproved?.of !== undefined && endOf(mail) === null,
  );
  if (followUps.length === 0) return { waits: [], withheld };
  const stopped = await listStopped(
    tx,
    followUps.map(({ to }) => to),
  );
  const open = followUps.filter((mail) => !stopped.has(readerOf(mail)));
  const nowMs = clock.nowMs();
  const startMs = Math.min(...(await listStarts(tx, held)));
  const isSoon = startMs > nowMs && startMs - nowMs <= soonMs;
  const original = new Map(open.map((mail) => [mail.key, mail]));
  const left = isSoon
    ? await sendAll(
        tx,
        open.map((mail) => (mail.unproved === undefined ? mail : { ...mail, unproved: { ...mail.unproved, isSoon } })),
      )
    : open;
  const waits = left.flatMap(({ key }) => original.get(key) ?? []);
  await noteWaiting(tx, held, waits.map(readerOf), nowMs + againMs);
  const isOpen = new Set(open);
  return { waits, withheld: withheld.filter((mail) => !isOpen.has(mail)) };
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
  withholding?: Withholding,
): Promise<void> {
  const booking = { id, userId: host.id };
  const missed = await sendTold(app, tx, booking, brought, withholding);
  const lapsed = await listUntold(tx, { id, guests });
  // a reader whom only a reminder does not reach has the invitation
  const news = new Set(brought.filter(({ calendar }) => calendar !== undefined).map(readerOf));
  const isMissed = (reader: string) => news.has(reader) && missed.has(reader);
  const untold = guests.filter((one) => lapsed.includes(one) || isMissed(one.toLowerCase()));
  await sendTold(app, tx, booking, others(untold), withholding);
}

/** An invitation decides who organizes the booking in calendars from then on. */
export async function sendMails(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  told: ToldBooking,
  mails: MailsInTurn,
  withholding?: Withholding,
): Promise<void> {
  if ([...mails.brought, ...mails.others(told.untold)].some(({ calendar }) => calendar !== undefined))
    await noteOrganizer(tx, told.ids, told.organizer);
  await sendInTurn(app, tx, told, mails, withholding);
}

const readerOf = ({ to }: MailMessage) => to.toLowerCase();
