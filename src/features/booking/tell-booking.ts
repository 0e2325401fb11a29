import type { BookingId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { listMailsLike, withdrawMails, withdrawMailsLike } from '#platform/mail-outbox.ts';
import { type LoadedBooking, loadHosts, loadTold } from './load-told.ts';
import type { BookingActor, BookingChange, BookingState } from './rules/booking-states.ts';
import { knownAfter } from './rules/moving.ts';
import type { ToldBooking } from './rules/told-booking.ts';
import {
  isSameVersion,
  type KnownVersion,
  type Moment,
  type ToldChange,
  type Version,
  whoIsTold,
} from './rules/who-is-told.ts';
import { sendMails } from './send-told.ts';
import { lockBookings } from './store/appointments.ts';
import { listAudit } from './store/booking-audit.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { listLapsed } from './store/lapsed-invitations.ts';
import { listAwaited, noteToldWithoutLink, takeToldWithoutLink } from './store/meeting-links.ts';
import { findKnown, findUntoldDate, keepKnown } from './store/told-bookings.ts';
import { differenceOf, endOf, type Lapsed, lostOf, mailsOf, mergeVersions } from './telling/mails.ts';
import { listWaiting } from './telling/store.ts';

interface Change {
  bookingId: BookingId;
  what: BookingChange;
  sequence: number;
}

/** The audit's account of a change. */
interface ToldDetails {
  from?: object | BookingState;
  by?: UserId;
}

/** The states in which a change is still news. */
const news: Readonly<Record<ToldChange, readonly BookingState[]>> = {
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
const firstNews = { 'mail-wanted': true, requested: true, confirmed: true };
const isTold = (what: BookingChange): what is ToldChange => what in news;

/**
 * Mails a change of a booking to its people, as the difference between what they were told last and the booking as it is.
 * An overtaken change is not told, and no change is told twice. False where a meeting is being made whose link belongs
 * into the mail: nothing was told, while `mayWait`.
 */
export async function tellBooking(app: App, change: Change, { mayWait }: { mayWait: boolean }): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToTell(app, change, { mayWait });
    } catch (error) {
      // the job of another change told of this one too: the times of a series, or two changes in a row
      if (!(error instanceof ToldMeanwhile) || attempt === mostAttempts) throw error;
    }
  }
}

const mostAttempts = 3;
class ToldMeanwhile extends Error {}

async function tryToTell(app: App, change: Change, { mayWait }: { mayWait: boolean }): Promise<boolean> {
  const { bookingId, what, sequence } = change;
  const booking = await findBooking(app.db, bookingId);
  if (booking === null || booking.sequence !== sequence) return true;
  if (!isTold(what) || !news[what].includes(booking.state)) return true;
  if (what === 'linked') return tellLink(app, booking);
  // people read of a series before they read of a change of one date
  const untold = what in firstNews ? null : await findUntoldDate(app.db, booking);
  if (untold !== null && mayWait) return false;
  if (untold !== null) await tellBooking(app, untold, { mayWait });
  const audit = (await listAudit(app.db, bookingId)).findLast(({ kind }) => kind === what);
  if (audit === undefined) return true;
  const { from, by = null } = audit.details as ToldDetails;
  // an address that was never shown to be the guest's gets the one mail that asks, and no more
  if (from === 'awaiting-mail') return true;
  const together = what === 'rescheduled' || what === 'reassigned' ? 'alone' : 'same-moment';
  const told = await loadNews(app, booking, together);
  if (told === null) return true;
  const awaited = booking.state === 'confirmed' ? await listAwaited(app.db, told.versions) : [];
  if (awaited.length > 0 && mayWait) return false;
  const knownOf = await findKnown(app.db, told.ids);
  const known = mergeVersions(told.ids.flatMap((id) => knownOf.get(id) ?? []));
  const now = mergeVersions(told.versions);
  if (now === null) return true;
  const difference = { what, by, known, now };
  const telling = whoIsTold(difference);
  const leaving = telling.hosts.map(({ id }) => id).filter((id) => !now.hostIds.includes(id));
  const left = await loadHosts(app.db, leaving);
  const seen = { actor: sideOf(audit.actor), lost: lostOf(known, now) };
  const changed = { ...told, ...differenceOf(told, known, telling), ...seen };
  const lapsed = await findLapsed(app.db, told, difference);
  const waiting = told.ids.length === 1 ? await listWaiting(app.db, told.id) : new Map();
  const mails = mailsOf(app, telling, changed, { known, now, left, lapsed, waiting });
  const versions = told.versions.map(({ id, sequence: version, guests, ...one }) => ({
    id,
    sequence: version,
    guests,
    state: one.state,
    known: knownOf.get(id) ?? null,
    told: what === 'mail-wanted' ? null : knownAfter(knownOf.get(id) ?? null, one),
  }));
  await inTransaction(app.db, async (tx) => {
    await lockBookings(tx, told.ids);
    if (!(await keepKnown(tx, versions)) || !(await noteToldWithoutLink(tx, awaited)))
      throw new ToldMeanwhile(`booking ${bookingId} changed while its mails were written: they are written again`);
    const older = await listOvertaken(tx, told, known, now);
    const held = told.ids.flatMap((id) => {
      const holds = knownOf.get(id);
      return holds?.invited === true ? { id, holds } : [];
    });
    await sendMails(app, tx, told, mails, { endOf: (mail) => endOf(changed, mail, { known, now }), held });
    await withdrawOlder(tx, told.ids, older);
  });
  return true;
}

/**
 * A booking with the times that are told of together with it. Null where there is nothing to tell: the job runs again, or
 * what had changed is as it was when people were told.
 */
async function loadNews(app: App, booking: Booking, together: 'alone' | 'same-moment'): Promise<LoadedBooking | null> {
  const told = await loadTold(app, booking, { together });
  if (told === null) return null;
  const known = await findKnown(app.db, told.ids);
  const fresh = told.versions.filter((version) => {
    const before = known.get(version.id);
    return before === undefined || !isSame(before, version);
  });
  if (fresh.length === 0) return null;
  return fresh.length === told.versions.length
    ? told
    : loadTold(app, booking, { together: new Set(fresh.map(({ id }) => id)) });
}

const isSame = (one: Version, other: Version) =>
  one.state === other.state &&
  one.startMs === other.startMs &&
  one.endMs === other.endMs &&
  new Set(one.hostIds).symmetricDifference(new Set(other.hostIds)).size === 0;

const sideOf = (actor: BookingActor): ToldBooking['actor'] =>
  actor === 'system' ? null : actor === 'guest' ? 'guest' : 'host';

/** Mails that tell a booking as it was. */
export const overtaken: readonly Moment[] = [
  'mail-wanted',
  'requested',
  'confirmed',
  'rescheduled',
  'rescheduled-pending',
  'linked',
  'reassigned',
  'hosts-changed',
  'reminder',
];

/**
 * Mails of the outbox about earlier versions. Each new mail tells the booking as it is, and a mail that waits for its next
 * attempt would arrive after it.
 */
async function listOvertaken(
  tx: Tx,
  { ids, appointmentId, isLive }: LoadedBooking,
  known: KnownVersion | null,
  now: Version,
): Promise<{ key: string; to: string }[]> {
  // a job that runs again leaves the mails of this version
  if (known === null || isSameVersion(known, now)) return [];
  const people = [...new Set([...known.hostIds, ...now.hostIds])];
  const isMoved = known.startMs !== now.startMs || known.endMs !== now.endMs;
  const older = await listMailsLike(tx, people, [
    ...overtaken.flatMap((what) => ids.map((id) => `booking.${what}:${id}:%`)),
    ...(isMoved || !isLive ? [`booking.reminder:${appointmentId}:%`] : []),
  ]);
  const left = known.hostIds.filter((id) => !now.hostIds.includes(id));
  await withdrawMailsLike(tx, left, [`booking.reminder:${appointmentId}:%:host%`]);
  const joined = now.hostIds.filter((id) => !known.hostIds.includes(id));
  await withdrawMailsLike(
    tx,
    joined,
    ids.map((id) => `booking.handed-over:${id}:%`),
  );
  return older;
}

/** A reader who waits for this version needs the mail about the one before. */
async function withdrawOlder(
  tx: Tx,
  ids: LoadedBooking['ids'],
  older: readonly { key: string; to: string }[],
): Promise<void> {
  if (older.length === 0) return;
  const waiting = new Set<string>();
  for (const id of ids) for (const address of (await listWaiting(tx, id)).keys()) waiting.add(address);
  const read = older.filter(({ to }) => !waiting.has(to.toLowerCase()));
  await withdrawMails(
    tx,
    read.map(({ key }) => key),
  );
}

/** A guest told of several times waits no longer than this for the link of the last of them. */
const lastLinkMs = 600_000;

/** Tells whoever was told without where to join, once of all the times that they were told of. */
async function tellLink(app: App, booking: Booking): Promise<true> {
  await inTransaction(app.db, async (tx: Tx) => {
    const givesUpMs = app.clock.nowMs() - lastLinkMs;
    const together = await takeToldWithoutLink(tx, booking, { givesUpMs });
    const told = together.size === 0 ? null : await loadTold({ ...app, db: tx }, booking, { together });
    const now = told === null ? null : mergeVersions(told.versions);
    if (told === null || now === null) return;
    const difference = { what: 'linked', by: null, known: { ...now, invited: true }, now } as const;
    const lapsed = await findLapsed(tx, told, difference);
    const calendar = { method: 'invite' } as const;
    // each link is told once
    const links = [told.joinUrl, ...told.together.map(({ joinUrl }) => joinUrl)].join(' ');
    const linked = { ...told, calendar, toldAs: `${told.toldAs}:${sha256(links).slice(0, 8)}` };
    const mails = mailsOf(app, whoIsTold(difference), linked, { known: difference.known, now, left: [], lapsed });
    await sendMails(app, tx, told, mails);
  });
  return true;
}

async function findLapsed(
  db: Database,
  { id }: ToldBooking,
  { known, ...change }: Parameters<typeof whoIsTold>[0],
): Promise<Lapsed> {
  const telling = whoIsTold({ ...change, known: known === null ? null : { ...known, invited: false } });
  return { addresses: await listLapsed(db, id), telling };
}
