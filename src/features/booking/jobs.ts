import * as z from 'zod/mini';
import { accountLeaving } from '#features/accounts/events.ts';
import { eventsChanged, forCalendar } from '#features/calendar/events.ts';
import { calendarsListed, connectionGone, connectionLeaving } from '#features/connections/events.ts';
import { findCalendar } from '#features/connections/public.ts';
import { itemRenamed } from '#features/edits/events.ts';
import { memberLeft, memberRoleChanged } from '#features/teams/events.ts';
import { may, ownerOf } from '#features/teams/public.ts';
import type { BookingId, CalendarId, ItemId, TeamId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { followWithin, listenTo } from '#platform/news.ts';
import { bookingChange, bookingChanged } from './events.ts';
import { expireBookings } from './expire-bookings.ts';
import { fetchLinks } from './fetch-links.ts';
import { findConflicts } from './find-conflicts.ts';
import { followEvents } from './follow-events.ts';
import { handOverStranded } from './hand-over-stranded.ts';
import { leaveBookings } from './leave-bookings.ts';
import { noteMasked } from './note-masked.ts';
import { rehomeBookings, removeLeftEvents } from './places/places.ts';
import { remindPeople, tellAllWaiting } from './remind-people.ts';
import { delayOvertaken, restAfterMove } from './rest-after-move.ts';
import { renameItem } from './store/appointments.ts';
import { findBooking } from './store/bookings.ts';
import { deleteForgottenTypes } from './store/event-type-rows.ts';
import { deleteSpentLinks, passOnLinks } from './store/links.ts';
import { deleteOldStandIns } from './store/stand-ins.ts';
import { findStanding } from './store/team-bookings.ts';
import { hasWatched } from './store/watched.ts';
import { tellBooking } from './tell-booking.ts';
import { tellTeam } from './tell-team.ts';
import { verifyBookings } from './verify-bookings.ts';
import { writeCopies } from './write-copies.ts';

/** Deletes event types that were removed 30 days ago, spent links, and old stand-ins. */
const sweepJob = defineJob({
  name: 'booking.sweep',
  payload: z.strictObject({}),
  async handle(app) {
    await deleteForgottenTypes(app.db);
    await deleteSpentLinks(app.db, app.clock.nowMs());
    await deleteOldStandIns(app.db, app.clock.nowMs());
  },
});

/** Ends expired reservations and unanswered requests. */
const expireJob = defineJob({
  name: 'booking.expire',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: expireBookings,
});

/** A calendar changed: its bookings, and what comes in the way of others. By calendar: readers never wait for each other. */
const followJob = defineJob({
  name: 'booking.follow-calendar',
  payload: z.strictObject({ calendarId: z.string() }),
  policy: 'stately',
  async handle(app, payload, signal) {
    const calendarId = payload.calendarId as CalendarId;
    const calendar = await findCalendar(app.db, calendarId);
    if (calendar === null) return;
    if (calendar.left) await rehomeBookings(app, calendar.userId, signal);
    await removeLeftEvents(app, calendarId);
    if (!(await hasWatched(app.db, calendar.userId, app.clock.nowMs()))) return;
    await findConflicts(app, calendar.userId);
    await followEvents(app, calendarId, signal);
  },
});

/**
 * Follow-up of a booking or move: the team is notified, and the other hosts' calendars get copies. A new or moved
 * booking may overlap a hold, or a calendar that could not be read then. For a new booking, the prevented conflicts of
 * its day are recorded.
 */
const lookAroundJob = defineJob({
  name: 'booking.look-around',
  payload: z.strictObject({ userId: z.string(), bookingId: z.string(), isNew: z.boolean() }),
  async handle(app, { userId, bookingId, isNew }) {
    const booking = await findBooking(app.db, bookingId as BookingId);
    if (booking !== null) {
      const { teamId } = await findStanding(app.db, booking.appointmentId);
      if (teamId !== null) await tellTeam(app, teamId);
      await writeCopies(app, booking.appointmentId);
    }
    await findConflicts(app, userId as UserId);
    if (isNew) await noteMasked(app, bookingId as BookingId);
  },
});

const renameJob = defineJob({
  name: 'booking.rename-item',
  payload: z.strictObject({ userId: z.string(), from: z.string(), to: z.string() }),
  async handle(app, { userId, from, to }) {
    await renameItem(app.db, userId as UserId, from as ItemId, to as ItemId);
    await findConflicts(app, userId as UserId);
  },
});

/** Fetches links of meetings that providers make. */
const linkJob = defineJob({
  name: 'booking.fetch-links',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app, _payload, signal) => fetchLinks(app, signal),
});

/** Delays of a first mail that waits for a provider's join link. */
const linkWaitsMs = [500, 1_000, 2_500] as const;

const tellJob = defineJob({
  name: 'booking.tell',
  payload: z.extend(bookingChange, { waited: z.optional(z.int()), rested: z.optional(z.boolean()) }),
  async handle(app, { waited = 0, rested = false, ...change }) {
    const { what, sequence } = change;
    const restMs = what === 'rescheduled' && !rested ? await restAfterMove(app.db, change.bookingId as BookingId) : 0;
    if (restMs > 0) {
      await delayOvertaken(app.db, change.bookingId as BookingId, restMs);
      await app.jobs.send(tellJob, { ...change, rested: true }, { startAfterMs: restMs });
      return;
    }
    const againMs = linkWaitsMs[waited];
    const mayWait = againMs !== undefined;
    const isTold = await tellBooking(app, { bookingId: change.bookingId as BookingId, what, sequence }, { mayWait });
    if (isTold) return;
    await app.jobs.send(linkJob, {}, { key: 'links' });
    await app.jobs.send(tellJob, { ...change, waited: waited + 1, rested }, { startAfterMs: againMs ?? 0 });
  },
});

const remindJob = defineJob({
  name: 'booking.remind',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  async handle(app, _payload, signal) {
    await tellAllWaiting(app, signal);
    await remindPeople(app, signal);
  },
});

const verifyJob = defineJob({
  name: 'booking.verify',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app, _payload, signal) => verifyBookings(app, signal),
});

/**
 * Handles the bookings of an account that is being deleted: their guests are notified, and then they no longer block
 * the deletion.
 */
const leaveJob = defineJob({
  name: 'booking.leave-with-person',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: async (app, payload) => {
    const againMs = await leaveBookings(app, payload.userId as UserId);
    if (againMs !== null) await app.jobs.send(leaveJob, payload, { key: payload.userId, startAfterMs: againMs });
  },
});

/** The calendars of a person came or went: every upcoming booking has an event in one of those that stay. */
const rehomeJob = defineJob({
  name: 'booking.rehome',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }, signal) => rehomeBookings(app, userId as UserId, signal),
});

/** Transfers upcoming bookings of a host who left a team. */
const handOverJob = defineJob({
  name: 'booking.hand-over',
  payload: z.strictObject({ teamId: z.string() }),
  policy: 'stately',
  handle: (app, { teamId }, signal) => handOverStranded(app, teamId as TeamId, signal),
});

export const jobs = [
  handOverJob,
  rehomeJob,
  sweepJob,
  expireJob,
  followJob,
  lookAroundJob,
  renameJob,
  tellJob,
  remindJob,
  verifyJob,
  linkJob,
  leaveJob,
];
export const schedules: readonly Schedule[] = [
  { job: sweepJob, everyMs: 6 * 3_600_000, payload: {} },
  { job: expireJob, everyMs: 30_000, payload: {}, key: 'expire' },
  { job: verifyJob, everyMs: 60_000, payload: {}, key: 'verify' },
  { job: remindJob, everyMs: 30_000, payload: {}, key: 'remind' },
  { job: linkJob, everyMs: 10_000, payload: {}, key: 'links' },
];
const passOn = (tx: Tx, teamId: TeamId, from: UserId) => passOnLinks(tx, teamId, { from, to: ownerOf(teamId) });

export const listeners = [
  followWithin(memberLeft, (_app, tx, { teamId, userId }) => passOn(tx, teamId as TeamId, userId as UserId)),
  followWithin(memberRoleChanged, async (_app, tx, { teamId, userId, role }) => {
    if (!may(role, 'manage-event-types')) await passOn(tx, teamId as TeamId, userId as UserId);
  }),
  listenTo(memberLeft, handOverJob, ({ teamId }) => ({ payload: { teamId }, key: teamId })),
  listenTo(itemRenamed, renameJob, (payload) => ({ payload })),
  listenTo(bookingChanged, tellJob, (payload) => ({ payload })),
  listenTo(accountLeaving, leaveJob, (payload) => ({ payload, key: payload.userId })),
  listenTo(bookingChanged, lookAroundJob, ({ userId, bookingId, what }) => ({
    payload: { userId, bookingId, isNew: what === 'confirmed' },
  })),
  listenTo(eventsChanged, followJob, forCalendar),
  ...[connectionLeaving, connectionGone, calendarsListed].map((heard) =>
    listenTo(heard, rehomeJob, ({ userId }) => ({ payload: { userId }, key: userId })),
  ),
];
