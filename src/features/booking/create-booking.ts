import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, EventTypeId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { askedLately } from '#platform/asked-lately.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { byKey, inTransaction, type Tx } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { challengeWanted, makeChallenge, takeSolution } from '#platform/proof-of-work.ts';
import { mailboxOf } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { shareLook } from '#platform/share-look.ts';
import { answerOnce } from './answer-once.ts';
import { checkLive } from './check-live.ts';
import { chooseTarget, noTarget, type Target } from './choose-target.ts';
import { type Claimed, claimSlot } from './claim-slot.ts';
import { findContactOwner } from './contact-owner.ts';
import { demandSlot } from './demand-slot.ts';
import { demandUnblocked } from './demand-unblocked.ts';
import { findBookable } from './find-bookable.ts';
import { findKeptAnswer } from './find-kept-answer.ts';
import type { PublicType } from './find-public-type.ts';
import { chooseHold, type ReservingBrowser } from './hold-slot.ts';
import { takeBrought, takeProofMail } from './list-strangers.ts';
import { listWantedTimes } from './list-wanted-times.ts';
import { entryOf } from './note-change.ts';
import { noteVisit, type Visitor } from './note-visit.ts';
import { offerOthers } from './offer-others.ts';
import { readKey } from './read-key.ts';
import { type Guest, readNewBooking } from './read-new-booking.ts';
import { bookingTokenPlace } from './rules/booking-address.ts';
import type { Made, NewBooking } from './rules/booking-endpoints.ts';
import {
  awaitMailMs,
  bookingAttempts,
  holdMs,
  judgeLoad,
  loadWindowMs,
  type NetworkLoad,
} from './rules/booking-load.ts';
import { bookingValues, passOn } from './rules/redirect-address.ts';
import { slotTaken, slotUnavailable } from './rules/slot-refusal.ts';
import { everyHost } from './rules/type-hosts.ts';
import { needsLock, type Time, wantedTime } from './rules/wanted-time.ts';
import { showBooked } from './show-booked.ts';
import { loadAppointment, lockAppointment, lockHosts, settleBlocks } from './store/appointments.ts';
import type { AuditEntry } from './store/booking-audit.ts';
import { countLoad } from './store/booking-load.ts';
import { type Booking, deleteHold, dropHold, fillHold, findHold, lockGuest } from './store/bookings.ts';
import { spendLink } from './store/links.ts';
import type { Filling } from './store/new-seat.ts';
import { isTaken } from './store/taken-time.ts';
import { takeEach } from './take-each.ts';
import { takeOfNetwork } from './take-of-network.ts';
import { offerKey, ownHold, slotKey, takeTurn } from './take-turn.ts';
import { tellChange } from './tell-change.ts';
import { writeAppointment } from './write-appointment.ts';

interface Wish {
  offer: PublicType;
  /** More than one where it repeats. */
  times: Time[];
  /** Zone by which the dates repeat. */
  zone: string;
  /** Starts of the series that are not wanted. */
  leftOut: readonly number[];
  holdId: string | null;
  guest: Guest;
  verified: boolean;
  target: Target;
  network: NetworkLoad;
  /** The browser's proof of work, in place of a mail while much is booked. */
  work: 'done' | 'can' | 'none';
  /** Id of the first booking, once it exists. */
  firstId: BookingId | null;
}

/**
 * Books a time for a guest. One transaction stores seat, time, the intent to write the event, the audit line, and the
 * domain event for mails. Under an Idempotency-Key a repeated request is answered as the first one was. *Errors*:
 * AppError not-found, invalid, conflict (SLOT_TAKEN, NOT_BOOKABLE), unprocessable (KEY_REUSED), limited.
 */
export async function createBooking(
  app: App,
  address: { handle: string; slug: string },
  input: NewBooking,
  request: Visitor & Pick<RequestFacts, 'idempotencyKey'> & ReservingBrowser,
): Promise<Made> {
  const offer = await findBookable(app, address);
  const { solution, ...wanted } = input;
  const key = readKey(offer.type.id, request.idempotencyKey, { ...address, ...wanted });
  const earlier = await findKeptAnswer<Made>(app, app.db, key);
  if (earlier !== null) return earlier;
  const guest = readNewBooking(offer, input);
  const first = wantedTime(offer, input);
  await takeNetworkAllowance(app.db, bookingAttempts, request.ip);
  const hostIds = offer.type.hosts.map(({ userId }) => userId);
  await demandUnblocked(app.db, hostIds, [guest.guestEmail, ...guest.guests]);
  const network = await takeOfNetwork(app.db, request.ip);
  const work = await readWork(app, offer.type.id, solution);
  const note = (bookingId?: BookingId) =>
    noteVisit(app, { what: 'submitted', eventTypeId: offer.type.id, hostIds, bookingId, request });
  note();
  const { times, zone, leftOut } = await listWantedTimes(app, offer, first, input);
  const [time] = times;
  if (time === undefined) throw slotTaken();
  await takeBrought(app.db, offer, guest, request.ip);
  const holdId = await chooseHold(app, offer, time, { holdId: input.hold_id ?? null, held: request.held ?? null });
  return offerOthers(app, offer, time, async () => {
    try {
      const [host] = offer.type.hosts;
      const isAlone = offer.team === null && host !== undefined;
      // most latecomers to a contested time are refused here, before any calendar is asked or lock awaited
      const isWanted = askedLately(app, slotKey(offer, time));
      if (isWanted && isAlone && holdId === null && offer.type.settings.seats === 1)
        await shareLook(app, `untaken ${slotKey(offer, time)}`, () => demandUntaken(app, offer, time, host.userId));
      const { verified, target } = await shareLook(app, `calendars ${offerKey(offer)}`, async () => ({
        verified: await checkLive(app, offer),
        target: isAlone ? await chooseTarget(app.db, offer, host.userId) : noTarget,
      }));
      const wish: Wish = { offer, times, zone, leftOut, holdId, guest, verified, target, network, work, firstId: null };
      const made = await takeTurn(app, offer, time, holdId, () =>
        inTransaction(byKey(app.db), (tx) => answerOnce(app, tx, key, () => book(app, tx, wish))),
      );
      if (wish.firstId !== null) note(wish.firstId);
      return made;
    } catch (error) {
      // the time may have been taken by an earlier attempt of this very request
      const same =
        error instanceof AppError && error.code === 'SLOT_TAKEN' ? await findKeptAnswer<Made>(app, app.db, key) : null;
      if (same !== null) return same;
      throw error;
    }
  });
}

async function demandUntaken(app: App, { type }: PublicType, { startMs, endMs }: Time, hostId: UserId): Promise<void> {
  const range = {
    startMs: startMs - type.settings.buffer_before_minutes * 60_000,
    endMs: endMs + type.settings.buffer_after_minutes * 60_000,
  };
  if (await isTaken(byKey(app.db), hostId, range, app.clock.nowMs())) throw slotUnavailable();
}

async function book(app: App, tx: Tx, wish: Wish): Promise<Made> {
  const { offer, times, guest } = wish;
  const { type, link } = offer;
  const nowMs = app.clock.nowMs();
  // before all other locks, so that two bookings of one address cannot wait for each other
  await lockGuest(tx, mailboxOf(guest.guestEmail));
  if (link !== null && !(await spendLink(tx, link.id, nowMs)))
    throw new AppError('not-found', 'NOT_FOUND', 'This link was already used. Request a new one.');
  // several times are taken under one lock, because two callers could wait for each other
  if (times.length > 1 || needsLock(offer) || type.teamId !== null) await lockHosts(tx, everyHost(type));
  const owner = await ownerOfContact(tx, wish);
  const seriesId = times.length > 1 ? randomUUID() : null;
  const fill = (id: BookingId, n: number, { state, what, isTold }: Terms): Filled => {
    const token = mintToken();
    const startMs = times[n]?.startMs ?? null;
    const filling: Filling = {
      ...guest,
      state,
      expiresMs: state === 'awaiting-mail' ? Math.min(nowMs + awaitMailMs, startMs ?? Infinity) : null,
      token: app.keyring.seal(token, bookingTokenPlace(id)),
      tokenHash: hashToken(token),
      verified: wish.verified,
      seriesId,
      seriesStartMs: seriesId === null ? null : startMs,
      seriesZone: seriesId === null ? null : wish.zone,
      seriesLeftOut: seriesId === null ? [] : wish.leftOut,
      linkId: link?.id ?? null,
      createdMs: nowMs,
    };
    return { token, filling, entry: isTold ? entryOf(app, { id, sequence: 0 }, { what, actor: 'guest' }) : null };
  };
  // a team's host, whose load counts, is known only after the assignment: times are reserved first, and filled in then
  const before = type.userId === null ? null : await judge(app, tx, wish, type.userId, nowMs);
  const claims = await takeEach<Held & { booked: Booked | null }>(times, async (time, n, earlier) => {
    const held = await adoptHold(app, tx, wish, time, owner);
    if (held !== null) return { ...held, booked: null };
    const id = randomUUID() as string as BookingId;
    const filled = before === null ? null : fill(id, n, before);
    const claimed = await claimSlot(app, tx, offer, time, {
      id,
      expiresMs: filled === null ? nowMs + holdMs : filled.filling.expiresMs,
      network: null,
      filling: filled?.filling ?? null,
      entry: filled?.entry ?? null,
      target: wish.target,
      owner,
      people: 1 + guest.guests.length,
      // the host of the first time is preferred for the later ones
      keep: earlier[0]?.userId ?? null,
    });
    const booked = filled && { booking: asBooked(type.id, id, filled.filling, claimed), token: filled.token };
    return { ...claimed, id, booked };
  });
  const [first] = claims;
  if (first === undefined) throw slotTaken();
  const terms = before ?? (await judge(app, tx, wish, first.userId, nowMs));
  const made: Booked[] = [];
  for (const [n, { id, booked }] of claims.entries()) {
    made.push(booked ?? (await fillIn(tx, id, fill(id, n, terms))));
  }
  // dates that were held and are not booked after all
  if (wish.holdId !== null) for (const left of await deleteHold(tx, wish.holdId, type.id)) await settleBlocks(tx, left);
  wish.firstId = first.id;
  const { state, what, isTold } = terms;
  const bookings: Made['bookings'] = [];
  const placeOf = (n: number) => (made.length === 1 ? null : { count: made.length, number: n + 1 });
  for (const [n, { booking, token }] of made.entries()) {
    if (type.settings.seats > 1 || wish.holdId !== null) await settleBlocks(tx, booking.appointmentId);
    if (state === 'confirmed') await writeAppointment(app, tx, booking.appointmentId);
    if (isTold) await tellChange(app, tx, booking, { what });
    // the token manages the booking and proves nothing: the proof comes by mail only
    bookings.push({ booking: await showBooked(app, tx, booking, { ...offer, series: placeOf(n) }), token });
  }
  const leadsTo = state === 'awaiting-mail' ? null : type.settings.redirect_url;
  const [lead, ...later] = bookings.map(({ booking }) => booking);
  if (leadsTo === null || lead === undefined) return { bookings, redirect_url: null };
  return { bookings, redirect_url: passOn(leadsTo, bookingValues(lead, later.length > 0 ? [lead, ...later] : null)) };
}

interface Terms {
  state: Filling['state'];
  what: 'confirmed' | 'requested' | 'mail-wanted';
  /** False: a mail to this address can still be answered, and its link lets this booking through too. */
  isTold: boolean;
}

/** The state of a new booking by how much else is booked. *Errors*: AppError limited, conflict (CHALLENGE). */
async function judge(
  app: App,
  tx: Tx,
  { offer: { type }, guest, network, work }: Wish,
  userId: UserId,
  nowMs: number,
): Promise<Terms> {
  const { asked, ...load } = await countLoad(tx, {
    eventTypeId: type.id,
    userId,
    email: guest.guestEmail,
    sinceMs: nowMs - loadWindowMs,
    nowMs,
  });
  const wanted = judgeLoad({ ...load, network }, { guests: guest.guests.length });
  // without mail no proof can come, so the work of the browser replaces it
  const verdict = wanted === 'ask-mail' && !app.config.canMail ? 'ask-work' : wanted;
  if (verdict === 'refuse') throw tooMuch();
  if (verdict === 'ask-work' && work === 'can') throw challengeWanted(await makeChallenge(app, `booking ${type.id}`));
  if (verdict === 'ask-mail' || (verdict === 'ask-work' && work !== 'done')) {
    if (!app.config.canMail) throw tooMuch();
    const mail = await takeProofMail(tx, { hostId: userId, email: guest.guestEmail, asked });
    if (mail === 'refused') throw tooMuch();
    return { state: 'awaiting-mail', what: 'mail-wanted', isTold: mail === 'taken' };
  }
  return type.settings.confirmation
    ? { state: 'pending', what: 'requested', isTold: true }
    : { state: 'confirmed', what: 'confirmed', isTold: true };
}

async function readWork(app: App, eventTypeId: EventTypeId, solution: string | undefined): Promise<Wish['work']> {
  if (solution === undefined) return 'none';
  return solution !== '' && (await takeSolution(app, `booking ${eventTypeId}`, solution)) ? 'done' : 'can';
}

type Held = Pick<Booking, 'id' | 'userId'>;

interface Filled {
  token: string;
  filling: Filling;
  entry: AuditEntry | null;
}

interface Booked {
  booking: Booking;
  token: string;
}

async function fillIn(tx: Tx, id: BookingId, { token, filling, entry }: Filled): Promise<Booked> {
  const booking = await fillHold(tx, id, filling, entry);
  if (booking === null) throw slotTaken();
  return { booking, token };
}

/** A booking as it was made, which need not be read again. */
function asBooked(eventTypeId: EventTypeId, id: BookingId, filling: Filling, claimed: Claimed): Booking {
  const { tokenHash: _, ...said } = filling;
  return {
    ...said,
    ...claimed,
    id,
    eventTypeId,
    sequence: 0,
    mailConfirmedMs: null,
    reason: null,
    endedBy: null,
    guestResponse: null,
    guestNoShow: false,
    hostNoShow: false,
    confirmedMs: filling.state === 'confirmed' ? filling.createdMs : null,
    endedMs: null,
    organizer: null,
  };
}

/** Finds the pool's host whose contact the guest is, if the event type prefers that host. */
async function ownerOfContact(tx: Tx, { offer: { type }, guest }: Wish): Promise<UserId | null> {
  if (type.teamId === null || type.kind !== 'round-robin' || !type.settings.contact_owner_first) return null;
  const { teamId, hosts } = type;
  return findContactOwner(tx, { teamId, email: guest.guestEmail, among: hosts.map(({ userId }) => userId) });
}

/**
 * Returns the visitor's reservation of a date if it is still valid without a new conflict. Null: the date is claimed
 * again. A team's reservation is released if other hosts are due by now.
 */
async function adoptHold(
  app: App,
  tx: Tx,
  { offer, holdId, guest }: Wish,
  time: Time,
  owner: UserId | null,
): Promise<Held | null> {
  if (holdId === null) return null;
  const hold = await findHold(tx, { id: holdId, eventTypeId: offer.type.id, ...time, nowMs: app.clock.nowMs() });
  if (hold === null) return null;
  await lockAppointment(tx, hold.appointmentId);
  const { userId, appointmentId } = hold;
  const own = ownHold(offer, hold);
  const now = await demandSlot(app, tx, offer, time, { ...own, people: 1 + guest.guests.length, keep: userId, owner });
  if (offer.type.teamId !== null) {
    const { hostIds } = await loadAppointment(tx, appointmentId);
    if (now.userId !== userId || !isDeepStrictEqual(now.hostIds.toSorted(), hostIds.toSorted())) {
      await dropHold(tx, hold.id);
      await settleBlocks(tx, appointmentId);
      return null;
    }
  }
  return { id: hold.id, userId };
}

const tooMuch = () =>
  new AppError('limited', 'LIMITED', 'This address or network has too many new bookings. Try again in an hour.', {
    retryAfterMs: loadWindowMs,
  });
