import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { keepsOperatorKey } from '#platform/this-machine.ts';
import { listUntold } from '../brought/untold-guests.ts';
import { lacksLink } from '../conferences/conferences.ts';
import { provable } from '../confirm-mail.ts';
import { isMovable } from '../is-movable.ts';
import { isProof } from '../is-proof.ts';
import { listProvedBy } from '../list-proved-by.ts';
import { listUnmailed } from '../list-strangers.ts';
import { loadTold } from '../load-told.ts';
import { linksToCalendars } from '../mail-calendar.ts';
import type { Booked } from '../rules/booked-shape.ts';
import type { BookingActor } from '../rules/booking-states.ts';
import { isChangeable } from '../rules/change-window.ts';
import { fillWords } from '../rules/fill-words.ts';
import { burstOfMoves, shownFormerTime } from '../rules/moving.ts';
import { bookingValues, passOn } from '../rules/redirect-address.ts';
import { type BookedData, resultOf } from '../rules/visit-data.ts';
import { listDates } from '../show-booked.ts';
import { loadAppointment } from '../store/appointments.ts';
import { type AuditEntry, listAudit, listMoves } from '../store/booking-audit.ts';
import type { Booking } from '../store/bookings.ts';
import { findType } from '../store/event-type-rows.ts';
import { findKnown } from '../store/told-bookings.ts';
import { listWaiting } from '../telling/store.ts';
import { wordsIn } from '../words-in.ts';
import { findVisitedBooking, type VisitedBooking } from './find-visited-booking.ts';
import { readEmbedding } from './read-embedding.ts';
import type { Visitor } from './read-visitor.ts';
import { showSeries } from './show-series.ts';

export const ended: readonly Booked['state'][] = ['cancelled', 'declined', 'expired'];

/** A booking, for whoever has its address: `/booked/{token}`. */
export async function visitBooked(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisitedBooking(app, call);
  if ('answer' in visited) return visited.answer;
  const { booking, booked, host, path, offer, visitor, contact } = visited;
  const isRunOut = hasRunOut(app, booking);
  const isOver = ended.includes(booked.state) || booked.state === 'held' || isRunOut;
  const canMove = offer !== null && (await isMovable(app.db, booking, offer.type));
  const frames = offer?.type.settings.frames ?? null;
  const framedBy = readEmbedding(call, frames ?? [])?.origin;
  const proof = await readProof(app, call, visited);
  const { location, hostIds } = await loadAppointment(app.db, booking.appointmentId);
  const isStopped = (await listUnmailed(app.db, [{ ...booking, hostIds }])).size > 0;
  const { isWaiting, ...moved } = await readMove(app, booking, booked);
  const mailAt = app.config.showsMail && keepsOperatorKey(app, call.cookies) ? '/dev/mail' : null;
  const data: BookedData = {
    words: visitor.words,
    reading: visitor.reading,
    host,
    state: booked.state === 'held' || isRunOut ? 'expired' : booked.state,
    title: booked.title,
    email: booked.email,
    // a mail that waits for the limit is not promised
    hasMail: app.mail.transport !== null && !isWaiting,
    isStopped,
    // a guest elsewhere cannot read unsent mails
    mailAt,
    isAskedEarlier: booked.state === 'awaiting-mail' && !(await isAskedByItself(app, booking)),
    startMinute: booked.start,
    awaits: awaitsNews(booked),
    ...moved,
    series: await showSeries(app, booking),
    durationMinutes: booked.duration,
    people: [booked.name, ...booked.guests],
    untold: await listUntold(app.db, booking),
    phone: booking.guestPhone,
    where:
      booked.join_url ??
      whereOf(booked) ??
      (booked.location == null
        ? fillWords(visitor.words, `location.${location.kind}`)
        : sayWhereLater(booked, visitor, {
            isMailed: app.mail.transport !== null && !isStopped,
            isLacking: await isLinkLacking(app, booking),
          })),
    answers: booked.answers,
    calendars: booked.state === 'confirmed' ? await showCalendars(app, visited) : null,
    goOn: isOver || booked.state === 'awaiting-mail' ? null : await leadOn(app, visited),
    // an address that is not confirmed yet comes first
    change:
      booked.can_change && booked.state !== 'awaiting-mail'
        ? {
            kind: 'open',
            untilMinute: (booked.can_change_until ?? 0) / 60_000,
            policy: booked.cancellation,
            reschedule: canMove ? `${path}/reschedule` : null,
            cancel: `${path}/cancel`,
          }
        : booked.can_change && !isOver
          ? { kind: 'waiting', cancel: `${path}/cancel` }
          : { kind: isOver || booked.state === 'awaiting-mail' ? 'over' : 'too-late' },
    proof,
    keptUntilMinute: booking.expiresMs === null ? null : booking.expiresMs / 60_000,
    askAgain:
      booked.state === 'awaiting-mail' &&
      !isRunOut &&
      proof === null &&
      (app.mail.transport !== null || mailAt !== null)
        ? { to: `${path}/mail`, answer: answerOf(call) }
        : null,
    cancelledBy: cancelledBy(booked),
    reason: booked.reason,
    contact,
    isSent: call.query.get('message') === 'sent',
    framedPath: framedBy === undefined ? null : path,
    again:
      booked.book_url === null || (booked.state === 'awaiting-mail' && !isRunOut)
        ? null
        : new URL(booked.book_url).pathname,
  };
  return {
    kind: 'page',
    page: {
      name: 'booked',
      data,
      title: `${fillWords(visitor.words, resultOf(data), { host: host.name })} · ${booked.title}`,
      language: visitor.language,
      // it follows the form in the frame that the form was in; what changes it opens outside
      frames,
      framedBy,
      unlisted: true,
      ...(data.awaits ? { counts: true } : {}),
    },
  };
}

/** A link or an answer comes without an act of the guest. */
const awaitsNews = ({ state, location, join_url }: Booked): boolean =>
  state === 'pending' ||
  (state === 'confirmed' &&
    join_url === null &&
    location != null &&
    location.kind !== 'in-person' &&
    location.kind !== 'phone' &&
    location.kind !== 'link');

/**
 * The former time of a booking, whether the mail about its move is still to come, and whether its guest gave up a confirmed
 * time for one that is not confirmed.
 */
async function readMove(
  { db }: App,
  { id, sequence, state, guestEmail }: Booking,
  { start }: Booked,
): Promise<Pick<BookedData, 'beforeMinute' | 'movedBy' | 'isToldSoon' | 'isGivenUp'> & { isWaiting: boolean }> {
  if (sequence === 0)
    return { beforeMinute: null, movedBy: null, isToldSoon: false, isGivenUp: false, isWaiting: false };
  const [audit, moves, toldOf, waiting] = await Promise.all([
    listAudit(db, id),
    listMoves(db, id),
    findKnown(db, [id]),
    listWaiting(db, id),
  ]);
  const startMs = start * 60_000;
  const waits = waiting.get(guestEmail.toLowerCase());
  const known = waits ?? toldOf.get(id);
  const former = known === undefined ? firstConfirmed(audit, startMs) : shownFormerTime(known, startMs);
  return {
    movedBy: sideOf(audit.findLast(({ kind }) => kind === 'rescheduled')?.actor),
    beforeMinute: former === null ? null : former.startMs / 60_000,
    isToldSoon: burstOfMoves(moves).length > 1 && known !== undefined && known.startMs !== startMs,
    isGivenUp: hasBeenConfirmed(audit) && (state === 'pending' || state === 'declined' || state === 'expired'),
    isWaiting: waits !== undefined,
  };
}

const hasBeenConfirmed = (audit: readonly AuditEntry[]) => audit.some(({ kind }) => kind === 'confirmed');

/** The confirmed time of a booking that was moved before any mail about it: its guest knows it from this page. */
function firstConfirmed(audit: readonly AuditEntry[], startMs: number): { startMs: number } | null {
  const confirmed = audit.findIndex(({ kind }) => kind === 'confirmed');
  const move = confirmed < 0 ? undefined : audit.slice(confirmed + 1).find(({ kind }) => kind === 'rescheduled');
  const from = move?.details.from as { startMs: number } | undefined;
  return from === undefined || from.startMs === startMs ? null : from;
}

async function showCalendars(app: App, { booking, path }: VisitedBooking): Promise<BookedData['calendars']> {
  const told = await loadTold(app, booking);
  if (told === null) return null;
  return { ...linksToCalendars(wordsIn(told.guest.locale), told), file: `${path}/calendar.ics` };
}

const cancelledBy = ({ state, ended_by: by }: Booked): BookedData['cancelledBy'] =>
  state === 'cancelled' ? sideOf(by) : null;

const sideOf = (actor: BookingActor | null | undefined) =>
  actor === 'guest' ? 'guest' : actor === 'host' || actor === 'calendar' ? 'host' : null;

/** It is given up within half a minute; nobody is asked for a proof meanwhile. */
const hasRunOut = ({ clock }: App, { state, expiresMs }: Booking) =>
  state === 'awaiting-mail' && (expiresMs ?? 0) <= clock.nowMs();

/** A mail was sent for it that asks its guest for the proof. */
const isAskedByItself = async ({ db }: App, { id }: Booking) =>
  (await listAudit(db, id)).some(({ kind }) => kind === 'mail-wanted');

function answerOf({ query }: PageCall): 'sent' | 'later' | 'full' | null {
  const answer = query.get('mail');
  return answer === 'sent' || answer === 'later' || answer === 'full' ? answer : null;
}

/** Asked for with the secret of the mail, the page asks for the proof of whatever still lacks it. */
async function readProof(
  app: App,
  { query }: PageCall,
  { booking, path }: VisitedBooking,
): Promise<BookedData['proof']> {
  const secret = query.get('proof');
  if (secret === null || !isProof(app, booking, secret)) return null;
  const waiting = await listProvedBy(app.db, booking, app.clock.nowMs());
  const isUnproved = provable.includes(booking.state) && booking.mailConfirmedMs === null;
  if (waiting.length === 0 && !isUnproved) return null;
  const isOwn = (one: Booking) => one.id === booking.id || (one.seriesId !== null && one.seriesId === booking.seriesId);
  const others = Map.groupBy(
    waiting.filter((one) => !isOwn(one)),
    ({ id, seriesId }) => seriesId ?? id,
  );
  const typeIds = new Set(waiting.flatMap(({ eventTypeId }) => eventTypeId ?? []));
  const types = await Promise.all([...typeIds].map((id) => findType(app.db, id)));
  const asked = await Promise.all(
    [...others.values()].map(async ([first, ...more]) => {
      const times = [first, ...more] as [Booking, ...Booking[]];
      const dates = await Promise.all(times.map(({ appointmentId }) => loadAppointment(app.db, appointmentId)));
      return {
        id: times[0].id,
        title: dates[0]?.title ?? '',
        startMinutes: dates.map(({ startMs }) => startMs / 60_000).toSorted((a, b) => a - b),
        people: [times[0].guestName, ...times[0].guests],
      };
    }),
  );
  return {
    to: `${path}/confirm`,
    secret,
    says: {
      title: isUnproved ? 'booked.proof-address' : 'booked.proof',
      text: isUnproved ? 'booked.proof-more' : booking.state === 'awaiting-mail' ? textOf(types) : null,
    },
    others: asked.toSorted((a, b) => (a.startMinutes[0] ?? 0) - (b.startMinutes[0] ?? 0)),
  };
}

const textOf = (types: readonly Awaited<ReturnType<typeof findType>>[]) =>
  types.some((type) => type?.settings.confirmation === true) ? 'booked.proof-request' : 'booked.proof-text';

/** An address or a number to call, without the link. */
export function whereOf({ location }: Booked): string | null {
  if (location?.kind === 'in-person') return location.address || null;
  return location?.kind === 'phone' && location.who_calls === 'guest' ? location.number || null : null;
}

async function isLinkLacking({ db, clock }: App, booking: Booking): Promise<boolean> {
  const sinceMs = booking.confirmedMs ?? booking.createdMs;
  return lacksLink(db, await loadAppointment(db, booking.appointmentId), { sinceMs, nowMs: clock.nowMs() });
}

/** The place of a certain booking whose address is not made yet. */
function sayWhereLater(
  { location, host }: Booked,
  { words }: Visitor,
  { isMailed, isLacking }: { isMailed: boolean; isLacking: boolean },
): string | null {
  if (location === undefined || location === null) return null;
  if (location.kind === 'in-person') return fillWords(words, 'booked.place-later', { host });
  if (location.kind === 'phone') return location.who_calls === 'host' ? fillWords(words, 'location.host-calls') : null;
  if (isLacking) return fillWords(words, 'booked.link-by-host', { host });
  const place = fillWords(words, `location.${location.kind}`);
  return fillWords(words, isMailed ? 'booked.link-follows' : 'booked.link-later', { place });
}

/** The page of the host, with the dates of a series that may take place. */
async function leadOn(app: App, { booking, booked, offer }: VisitedBooking): Promise<string | null> {
  const address = offer?.type.settings.redirect_url ?? null;
  if (address === null) return null;
  const dates = (await listDates(app, booking)).filter(({ state }) => isChangeable(state));
  return passOn(address, bookingValues(booked, booking.seriesId === null ? null : dates));
}
