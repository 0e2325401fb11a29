import { listAddresses } from '#features/accounts/people/public.ts';
import { listReadersHere } from '#features/accounts/public.ts';
import { listTeammates } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Allowance, isLoopback, takeAllowances, tryNetworkAllowance } from '#platform/limits.ts';
import { listStopped, mailboxOf, takeMail } from '#platform/recipients.ts';
import type { PublicType } from './find-public-type.ts';
import type { Guest } from './read-new-booking.ts';
import { askedAgain, broughtByGuest, broughtByKnown, broughtByNetwork, broughtToHost } from './rules/booking-load.ts';
import type { Asked } from './store/booking-load.ts';
import { type Booking, listUnproved } from './store/bookings.ts';

/**
 * The addresses whose mails are limited and have no free text: not proved to any of these hosts, and of no member of their
 * teams. An account is no relation to a host (decision 0091).
 */
export async function listStrangers(
  db: Database,
  hostIds: readonly UserId[],
  emails: readonly string[],
): Promise<string[]> {
  const [unproved, here] = await Promise.all([listUnproved(db, hostIds, emails), listReadersHere(db, emails)]);
  if (!unproved.some((email) => here.has(email.toLowerCase()))) return unproved;
  const mates = (await Promise.all(hostIds.map((id) => listTeammates(db, id)))).flat();
  const addresses = await listAddresses(db, [...hostIds, ...mates.map(({ userId }) => userId)]);
  const colleagues = new Set([...addresses.values()].map((one) => one.toLowerCase()).filter((one) => here.has(one)));
  return unproved.filter((email) => !colleagues.has(email.toLowerCase()));
}

/** Bookings whose guest has stopped mails. A guest who has confirmed the address with the hosts gets theirs all the same. */
export async function listUnmailed<Row extends Pick<Booking, 'id' | 'guestEmail' | 'mailConfirmedMs'>>(
  db: Database,
  rows: readonly (Row & { hostIds: readonly UserId[] })[],
): Promise<ReadonlySet<BookingId>> {
  const unproved = rows.filter(({ mailConfirmedMs }) => mailConfirmedMs === null);
  if (unproved.length === 0) return new Set();
  const stopped = await listStopped(
    db,
    unproved.map(({ guestEmail }) => guestEmail),
  );
  const found = unproved.filter(({ guestEmail }) => stopped.has(guestEmail.toLowerCase()));
  const strangers = await Promise.all(
    found.map(async ({ hostIds, guestEmail }) => (await listStrangers(db, hostIds, [guestEmail])).length > 0),
  );
  return new Set(found.filter((_, n) => strangers[n]).map(({ id }) => id));
}

/**
 * Counts the unproved addresses that a guest brings along: their readers have asked for nothing.
 * *Errors*: AppError limited.
 */
export async function takeBrought(
  db: Database,
  { type }: PublicType,
  { guestEmail, guests }: Pick<Guest, 'guestEmail' | 'guests'>,
  ip: string,
): Promise<void> {
  if (guests.length === 0) return;
  const hostIds = type.hosts.map(({ userId }) => userId);
  const { length: people } = await listStrangers(db, hostIds, guests);
  if (people === 0) return;
  const take = async (allowance: Allowance, subject: string) =>
    (await takeAllowances(db, times(people, allowance), [subject])).has(subject);
  const [host, guest] = [type.teamId ?? type.userId ?? type.id, mailboxOf(guestEmail)];
  const isKnown = async () => (await listUnproved(db, hostIds, [guestEmail])).length === 0;
  // the part of one guest first, so that a refused one takes nothing from others
  const hasRoom =
    (await take(broughtByGuest, guest)) &&
    (isLoopback(ip) || (await tryNetworkAllowance(db, times(people, broughtByNetwork), ip))) &&
    ((await take(broughtToHost, host)) || ((await isKnown()) && (await take(broughtByKnown, `${host} ${guest}`))));
  if (!hasRoom)
    throw new AppError(
      'limited',
      'LIMITED',
      'Too many guests were added today. Book without them, or try again tomorrow.',
      { retryAfterMs: broughtByGuest.periodSeconds * 1_000 },
    );
}

/** One act takes as much as several. */
const times = (n: number, { burst, ...allowance }: Allowance): Allowance => ({ ...allowance, burst: burst / n });

/**
 * Takes the mail that asks the guest of a new booking to prove their address. `told`: an earlier mail does. A guest who gave
 * up the booking of that mail gets another one, as often as on request. `refused`: the address gets no more mails.
 */
export async function takeProofMail(
  tx: Tx,
  { hostId, email, asked }: { hostId: UserId; email: string; asked: Asked },
): Promise<'taken' | 'told' | 'refused'> {
  const subject = `${hostId} ${mailboxOf(email)}`;
  if (asked === 'waiting') return 'told';
  if (asked === 'ended' && !(await takeAllowances(tx, askedAgain, [subject])).has(subject)) return 'told';
  const [stranger] = await listStrangers(tx, [hostId], [email]);
  const isTaken = stranger === undefined || (await takeMail(tx, email, { share: 'given', sender: hostId }));
  return isTaken ? 'taken' : 'refused';
}
