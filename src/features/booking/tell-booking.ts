import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { loadTold } from './load-told.ts';
import { guestMail, hostMail, invitedMail, type Moment, type ToldBooking } from './mail.ts';
import type { BookingActor, BookingChange, BookingState } from './rules/booking-states.ts';
import { burstOfMoves } from './rules/moving.ts';
import { listAudit, listGuestMoves } from './store/booking-audit.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { listAwaited, noteToldWithoutLink, takeToldWithoutLink } from './store/meeting-links.ts';
import { withdrawOutdated } from './withdraw-outdated.ts';

interface Change {
  bookingId: BookingId;
  what: BookingChange;
  sequence: number;
}

/** What the audit says of a change. */
interface ToldDetails {
  from?: { startMs?: number } | BookingState;
  left?: UserId[];
  joined?: UserId[];
}

/** Who is a host no more is told beside it. */
type ToldMoment = Exclude<Moment, 'handed-over'>;

/** The states in which a change is still news. */
const news: Partial<Record<BookingChange, readonly BookingState[]>> = {
  'mail-wanted': ['awaiting-mail'],
  requested: ['pending'],
  confirmed: ['confirmed'],
  rescheduled: ['pending', 'confirmed'],
  linked: ['confirmed'],
  reassigned: ['pending', 'confirmed'],
  declined: ['declined'],
  cancelled: ['cancelled'],
  expired: ['expired'],
};

/**
 * Tells everybody of a booking what happened to it. Whoever comes late reads the booking as it is: what has been overtaken
 * is not told any more, and what was told is not told twice. False where a meeting is being made whose link belongs into
 * the mail: nothing was told, while `mayWait`.
 */
export async function tellBooking(app: App, change: Change, { mayWait }: { mayWait: boolean }): Promise<boolean> {
  const { bookingId, what, sequence } = change;
  const booking = await findBooking(app.db, bookingId);
  if (booking === null || booking.sequence !== sequence) return true;
  if (news[what]?.includes(booking.state) !== true) return true;
  if (what === 'linked') return tellLink(app, booking);
  const audit = (await listAudit(app.db, bookingId)).findLast(({ kind }) => kind === what);
  if (audit === undefined) return true;
  const { actor, details } = audit as { actor: BookingActor; details: ToldDetails };
  const stateBefore = typeof details.from === 'string' ? details.from : null;
  const beforeMs = typeof details.from === 'object' ? await firstUntold(app, bookingId, details.from) : null;
  // an address that was never shown to be the guest's gets the one mail that asks, and no more
  if (stateBefore === 'awaiting-mail') return true;
  const isMoved = what === 'rescheduled';
  const { left = [], joined = [] } = details;
  const together = isMoved || what === 'reassigned' ? 'alone' : 'same-moment';
  const told = await loadTold(app, booking, { beforeMs, together, left });
  if (told === null) return true;
  const awaited = booking.state === 'confirmed' ? await listAwaited(app.db, told.ids) : [];
  if (awaited.length > 0 && mayWait) return false;
  const moment = isMoved && booking.state === 'pending' ? 'rescheduled-pending' : (what as ToldMoment);
  const mails = mailsOf(app, moment, told, { actor, wasCertain: stateBefore !== 'pending', joined });
  await inTransaction(app.db, async (tx) => {
    if (!(await noteToldWithoutLink(tx, awaited)))
      throw new Error(`the link of booking ${bookingId} came while its mails were written: they are written again`);
    for (const mail of mails) await app.mail.send(tx, mail);
    // nobody is reminded of what is over
    await withdrawOutdated(app, tx, booking, { told, isMoved });
  });
  return true;
}

/** Where a booking stood before the moves that this mail tells of: all of a burst but the first, which was told at once. */
async function firstUntold(app: App, id: BookingId, last: { startMs?: number }): Promise<number | null> {
  const [, second] = burstOfMoves(await listGuestMoves(app.db, id));
  return second?.fromMs ?? last.startMs ?? null;
}

/** So long whoever was told of several times waits for the link of the last of them. */
const lastLinkMs = 600_000;

/** Tells whoever was told without where to join, once of all the times that they were told of. */
async function tellLink(app: App, booking: Booking): Promise<true> {
  await inTransaction(app.db, async (tx: Tx) => {
    const givesUpMs = app.clock.nowMs() - lastLinkMs;
    const together = await takeToldWithoutLink(tx, booking, { givesUpMs });
    const told = together.size === 0 ? null : await loadTold({ ...app, db: tx }, booking, { together });
    if (told === null) return;
    for (const mail of mailsOf(app, 'linked', told, { actor: 'system', wasCertain: true, joined: [] }))
      await app.mail.send(tx, mail);
  });
  return true;
}

function mailsOf(
  app: App,
  moment: ToldMoment,
  told: ToldBooking,
  { actor, wasCertain, joined }: { actor: BookingActor; wasCertain: boolean; joined: readonly UserId[] },
): MailMessage[] {
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs: app.clock.nowMs() };
  const gone = told.left.map((host) => hostMail('handed-over', told, setting, host));
  if (moment === 'reassigned') {
    const fresh = [told.host, ...told.others].filter(({ id }) => joined.includes(id));
    return [guestMail(moment, told, setting), ...fresh.map((host) => hostMail(moment, told, setting, host)), ...gone];
  }
  const isBringing =
    moment === 'confirmed' || moment === 'rescheduled' || moment === 'linked' || (moment === 'cancelled' && wasCertain);
  // who did it in their calendar knows
  const isForHosts = moment !== 'linked' && moment !== 'mail-wanted' && moment !== 'declined';
  return [
    guestMail(moment, told, setting),
    ...(isBringing ? told.guests.map((_, number) => invitedMail(moment, told, number, setting)) : []),
    ...(isForHosts && actor !== 'host' && actor !== 'calendar' ? [hostMail(moment, told, setting)] : []),
    // which of several did it is not known: all but the first are told
    ...(isForHosts ? told.others.map((host) => hostMail(moment, told, setting, host)) : []),
    ...gone,
  ];
}
