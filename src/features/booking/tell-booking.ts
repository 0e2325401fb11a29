import type { BookingId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { listMailsLike, withdrawMails, withdrawMailsLike } from '#platform/mail-outbox.ts';
import { type LoadedBooking, loadHosts, loadTold } from './load-told.ts';
import { asFollowUp, guestMail, hostMail, invitedMail } from './mail.ts';
import { isEnd } from './mail-facts.ts';
import type { BookingActor, BookingChange, BookingState } from './rules/booking-states.ts';
import { type ToldBooking, type ToldHost, withoutLink } from './rules/told-booking.ts';
import {
  changeSince,
  isOver,
  isSameVersion,
  type KnownVersion,
  type Moment,
  type Telling,
  type ToldChange,
  type Version,
  whoIsTold,
} from './rules/who-is-told.ts';
import { type MailsInTurn, sendMails, sendTold } from './send-told.ts';
import { lockBookings } from './store/appointments.ts';
import { listAudit } from './store/booking-audit.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { listLapsed } from './store/lapsed-invitations.ts';
import { listAwaited, noteToldWithoutLink, takeToldWithoutLink } from './store/meeting-links.ts';
import { findKnown, findUntoldDate, keepKnown } from './store/told-bookings.ts';
import { dropWaiting, listWaiting } from './store/waiting-updates.ts';

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
    told:
      what === 'mail-wanted'
        ? null
        : { ...one, invited: one.state === 'confirmed' || knownOf.get(id)?.invited === true },
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

/** Several times that are told of together: the first one's, with the hosts of each. */
function mergeVersions<V extends Version>(versions: readonly V[]): V | null {
  const [first] = versions;
  if (first === undefined) return null;
  const invited = versions.some((one) => (one as Partial<KnownVersion>).invited === true);
  return { ...first, hostIds: [...new Set(versions.flatMap(({ hostIds }) => hostIds))], invited };
}

const isSame = (one: Version, other: Version) =>
  one.state === other.state &&
  one.startMs === other.startMs &&
  one.endMs === other.endMs &&
  new Set(one.hostIds).symmetricDifference(new Set(other.hostIds)).size === 0;

/** The time that its people knew, and the effect on their calendars. */
function differenceOf(
  { startMs, endMs, together }: ToldBooking,
  known: KnownVersion | null,
  { calendar }: Telling,
): Pick<ToldBooking, 'beforeMs' | 'calendar'> {
  const held = known ?? { startMs, endMs };
  return {
    beforeMs: together.length > 1 || held.startMs === startMs ? null : held.startMs,
    calendar:
      calendar === 'cancel'
        ? { method: 'cancel', startMs: held.startMs, endMs: held.endMs }
        : calendar === null
          ? null
          : { method: 'invite' },
  };
}

const sideOf = (actor: BookingActor): ToldBooking['actor'] =>
  actor === 'system' ? null : actor === 'guest' ? 'guest' : 'host';

function lostOf(known: KnownVersion | null, now: Version): ToldBooking['lost'] {
  if (known?.invited !== true || now.state === 'confirmed') return null;
  return known.state === 'confirmed' ? 'now' : 'earlier';
}

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

/** Readers who hold no invitation although others do, and a change as they are told of it: as an invitation, if at all. */
interface Lapsed {
  addresses: ReadonlySet<string>;
  telling: Telling;
}

async function findLapsed(
  db: Database,
  { id }: ToldBooking,
  { known, ...change }: Parameters<typeof whoIsTold>[0],
): Promise<Lapsed> {
  const telling = whoIsTold({ ...change, known: known === null ? null : { ...known, invited: false } });
  return { addresses: await listLapsed(db, id), telling };
}

/** The same mail as one that ends an invitation, which no limit keeps back; null where the booking, or its series, goes on. */
function endOf(
  { series }: ToldBooking,
  mail: MailMessage,
  { known, now }: { known: KnownVersion | null; now: Version },
): MailMessage | null {
  const isWhole = series === null || series.times.every(({ stands }) => !stands);
  if (known?.invited !== true || !isOver(now.state) || !isWhole || mail.unproved === undefined) return null;
  return { ...mail, unproved: { ...mail.unproved, as: 'owed' } };
}

/**
 * Tells readers who wait for a change of this booking what they do not know yet, as far as the limit has room by now. They
 * keep the version that they hold until then.
 */
export async function tellWaiting(app: App, id: BookingId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockBookings(tx, [id]);
    const booking = await findBooking(tx, id);
    const told = booking === null ? null : await loadTold({ ...app, db: tx }, booking);
    const now = told === null ? null : mergeVersions(told.versions);
    const waiting = await listWaiting(tx, id);
    const known = (await findKnown(tx, [id])).get(id);
    // a change that nobody was told of yet comes with its own mails
    if (known !== undefined && now !== null && !isSameVersion(known, now)) return;
    for (const [address, holds] of waiting) {
      const number = told?.guests.findIndex((one) => one.toLowerCase() === address) ?? -1;
      const telling = now === null ? null : tellingOf(holds, now);
      const seen = told &&
        telling && { ...told, ...differenceOf(told, holds, telling), lost: now && lostOf(holds, now) };
      const mail =
        seen === null || telling === null
          ? null
          : seen.guest.email.toLowerCase() === address
            ? telling.booker && guestMail(telling.booker, seen, settingOf(app))
            : number < 0
              ? null
              : telling.brought && invitedMail(telling.brought, seen, number, settingOf(app));
      if (told === null || now === null || mail === null) {
        await dropWaiting(tx, [id], [address]);
        continue;
      }
      await sendTold(app, tx, { id, userId: told.host.id }, [asFollowUp(mail, told)], {
        endOf: (one) => endOf(told, one, { known: holds, now }),
        held: [{ id, holds }],
        isRetry: true,
      });
    }
  });
}

const tellingOf = (holds: KnownVersion, now: Version) =>
  whoIsTold({ what: changeSince(holds, now), by: null, known: holds, now });

const settingOf = ({ config, mail, clock }: App) => ({
  publicUrl: config.publicUrl,
  from: mail.from.address,
  nowMs: clock.nowMs(),
});

/**
 * The mails of a telling. `left`: those of its hosts who were hosts of what is `known`. `waiting`: readers who hold another
 * version than that.
 */
function mailsOf(
  app: App,
  { booker, brought, hosts }: Telling,
  told: ToldBooking,
  {
    known,
    now,
    left,
    lapsed,
    waiting = new Map(),
  }: {
    known: KnownVersion | null;
    now: Version;
    left: readonly ToldHost[];
    lapsed: Lapsed;
    waiting?: ReadonlyMap<string, KnownVersion>;
  },
): MailsInTurn {
  const setting = settingOf(app);
  const team = [told.host, ...told.others];
  const asNew = { ...told, beforeMs: null, ...(lapsed.telling.calendar === null ? { calendar: null } : {}) };
  // a reader without an invitation, one who holds an older version of it, and all others
  const seenBy = (address: string) => {
    const holds = waiting.get(address.toLowerCase());
    if (lapsed.addresses.has(address.toLowerCase()))
      return {
        told: asNew,
        brought: lapsed.telling.brought,
        booker: told.isCertain ? ('confirmed' as const) : lapsed.telling.booker,
        name: (mail: MailMessage) => mail,
      };
    const name = (mail: MailMessage) => (known?.invited === true ? asFollowUp(mail, told) : mail);
    if (holds === undefined) return { told, brought, booker, name };
    const telling = tellingOf(holds, now);
    const seen = { ...told, ...differenceOf(told, holds, telling), lost: lostOf(holds, now) };
    return { told: seen, brought: telling.brought, booker: telling.booker, name };
  };
  const own = seenBy(told.guest.email);
  // a booker who was not told what they did themselves is told nothing now either
  const bookers = booker === null && !lapsed.addresses.has(told.guest.email.toLowerCase()) ? null : own.booker;
  return {
    brought: told.guests.flatMap((email, number) => {
      const seen = seenBy(email);
      return seen.brought === null ? [] : [seen.name(invitedMail(seen.brought, seen.told, number, setting))];
    }),
    others: (untold) => [
      ...(bookers === null ? [] : [own.name(guestMail(bookers, { ...own.told, untold }, setting))]),
      ...hosts.flatMap(({ id, moment, isNew }) => {
        const reader = [...team, ...left].find((host) => host.id === id);
        if (reader === undefined) return [];
        const own = moment === 'handed-over' ? asHad(told, known) : timesOf(told, id, isNew);
        const seen = isEnd(moment) ? withoutLink(own) : own;
        return [hostMail(moment, { ...seen, untold }, setting, reader)];
      }),
    ],
  };
}

/** A booking as a host had it who is one no longer. */
const asHad = (told: ToldBooking, known: KnownVersion | null): ToldBooking => ({
  ...told,
  startMs: known?.startMs ?? told.startMs,
  endMs: known?.endMs ?? told.endMs,
  beforeMs: null,
  joinUrl: null,
  reason: null,
});

/** A booking as one of its hosts has it: a host of some of its times has those, and a new host knew no other time. */
function timesOf(told: ToldBooking, id: UserId, isNew: boolean): ToldBooking {
  const times = told.together.filter(({ hostIds }) => hostIds.includes(id));
  const [first] = times;
  const [host = told.host, ...others] = [told.host, ...told.others].filter((one) =>
    times.some(({ hostIds }) => hostIds.includes(one.id)),
  );
  const isPart = first !== undefined && times.length < told.together.length;
  const own = isPart ? { ...first, together: times, date: null, host, others } : {};
  return { ...told, ...own, ...(isNew ? { beforeMs: null } : {}) };
}
