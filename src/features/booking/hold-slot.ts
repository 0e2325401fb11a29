import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, EventTypeId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { byKey, inTransaction, isViolationOf } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import { shareLook } from '#platform/share-look.ts';
import { chooseTarget, noTarget } from './choose-target.ts';
import { type Claimed, claimSlot } from './claim-slot.ts';
import { findBookable } from './find-bookable.ts';
import type { PublicType } from './find-public-type.ts';
import { hashNetwork } from './hash-network.ts';
import { listWantedTimes } from './list-wanted-times.ts';
import { noteVisit, type Visitor } from './note-visit.ts';
import { offerOthers } from './offer-others.ts';
import type { NewHold } from './rules/booking-endpoints.ts';
import { holdAttempts, holdMs, mostHolds } from './rules/booking-load.ts';
import { slotTaken } from './rules/slot-refusal.ts';
import { everyHost } from './rules/type-hosts.ts';
import { type Time, wantedTime } from './rules/wanted-time.ts';
import { lockHosts, settleBlocks } from './store/appointments.ts';
import { countHolds, deleteHold, findHold, lockHolds } from './store/bookings.ts';
import { findHeldBy, findLiveHold, isInTheWay } from './store/taken-time.ts';
import { takeEach } from './take-each.ts';
import { offerKey, takeTurn } from './take-turn.ts';

export interface ReservingBrowser {
  /** The last reservation of the browser that asks, as its note says. */
  held?: string | null;
}

export interface Held {
  holdId: string;
  startMs: number;
  endMs: number;
  expiresMs: number;
}

/**
 * Keeps a time, or all dates of a series, for a visitor while they fill the form in; a hold that it takes the place of is given back first. Asked
 * again by the same id, the hold is the same. A hold that the same browser has in another tab gives way.
 * *Errors*: AppError not-found, conflict (SLOT_TAKEN, NOT_BOOKABLE), limited, invalid for the id of another.
 */
export async function holdSlot(
  app: App,
  address: { handle: string; slug: string },
  asked: NewHold,
  request: Visitor & ReservingBrowser,
): Promise<Held> {
  const offer = await findBookable(app, address);
  const hostIds = offer.type.hosts.map(({ userId }) => userId);
  noteVisit(app, { what: 'chosen', eventTypeId: offer.type.id, hostIds, request });
  await takeNetworkAllowance(app.db, holdAttempts, request.ip);
  const { times, zone } = await listWantedTimes(app, offer, wantedTime(offer, asked), asked);
  const [time] = times;
  if (time === undefined) throw slotTaken();
  const network = hashNetwork(app, request.ip);
  const [host] = offer.type.hosts;
  const isAlone = offer.team === null && host !== undefined;
  const target = isAlone
    ? await shareLook(app, `target ${offerKey(offer)}`, () => chooseTarget(app.db, offer, host.userId))
    : noTarget;
  const expiresMs = Math.min(app.clock.nowMs() + holdMs, time.startMs);
  const id = (asked.hold_id ?? randomUUID()) as BookingId;
  const earlier =
    asked.instead_of === undefined
      ? await findInTheWay(app, offer, times, { id, held: request.held ?? null })
      : { id: asked.instead_of, eventTypeId: offer.type.id };
  const hold = () =>
    inTransaction(byKey(app.db), async (tx) => {
      if (earlier !== null) {
        for (const left of await deleteHold(tx, earlier.id, earlier.eventTypeId)) await settleBlocks(tx, left);
      }
      if (times.length > 1) await lockHosts(tx, everyHost(offer.type));
      await takeEach<Claimed>(times, (one, n, before) =>
        claimSlot(app, tx, offer, one, {
          id: n === 0 ? id : (randomUUID() as string as BookingId),
          expiresMs,
          network,
          target,
          filling: null,
          entry: null,
          keep: before[0]?.userId ?? null,
          series: times.length === 1 ? undefined : { id, startMs: one.startMs, zone },
        }),
      );
      // a hold that is not committed yet is counted by nobody else
      await lockHolds(tx, { eventTypeId: offer.type.id, network });
      const holds = await countHolds(tx, { eventTypeId: offer.type.id, network, nowMs: app.clock.nowMs() });
      if (isOver(holds)) throw tooManyHolds();
      return { holdId: id, ...time, expiresMs };
    });
  const take = async (mayWait: boolean): Promise<Held> => {
    try {
      // a visitor who exchanges a reservation must not be refused because of the old one
      return await (earlier === null ? takeTurn(app, offer, time, null, hold) : hold());
    } catch (error) {
      const isMet = isViolationOf(error, 'bookings_pkey');
      if (asked.hold_id === undefined || !(isMet || (error instanceof AppError && error.code === 'SLOT_TAKEN')))
        throw error;
      // the conflict may be this very reservation, whose answer was lost
      const same = await findHold(app.db, { id, eventTypeId: offer.type.id, ...time, nowMs: app.clock.nowMs() });
      if (same !== null) return { holdId: id, ...time, expiresMs: same.expiresMs };
      if (
        mayWait &&
        !isMet &&
        (await waitForRelease(app, { eventTypeId: offer.type.id, startMs: time.startMs, network }))
      )
        return take(false);
      throw isMet
        ? new AppError('invalid', 'INVALID_INPUT', 'This id belongs to another hold. Nothing was changed.')
        : error;
    }
  };
  return offerOthers(app, offer, time, () => take(true));
}

/** The reservation of another tab of the browser, where it keeps time that is wanted now. */
async function findInTheWay(
  { db, clock }: App,
  { type }: PublicType,
  times: readonly Time[],
  { id, held }: { id: string; held: string | null },
): Promise<{ id: string; eventTypeId: EventTypeId } | null> {
  if (held === null || held === id) return null;
  const hold = await findLiveHold(db, { id: held, nowMs: clock.nowMs() });
  if (hold === null) return null;
  const { buffer_before_minutes: before, buffer_after_minutes: after } = type.settings;
  const ranges = times.map(({ startMs, endMs }) => ({
    startMs: startMs - before * 60_000,
    endMs: endMs + after * 60_000,
  }));
  return (await isInTheWay(db, hold.id, { hostIds: everyHost(type), ranges })) ? hold : null;
}

/** The reservation that is booked: the one of the form, or the one that another tab of its browser took over from it. */
export async function chooseHold(
  { db, clock }: App,
  { type }: PublicType,
  time: Time,
  { holdId, held }: { holdId: string | null; held: string | null },
): Promise<string | null> {
  if (held === null || held === holdId) return holdId;
  const find = (id: string) => findHold(db, { id, eventTypeId: type.id, ...time, nowMs: clock.nowMs() });
  if (holdId !== null && (await find(holdId)) !== null) return holdId;
  return (await find(held)) === null ? holdId : held;
}

const [releasePolls, releasePollMs] = [4, 100];

/** Whether a reservation of the same network goes: a page that is loaded again may ask before its last release arrives. */
async function waitForRelease(
  { db, clock }: App,
  of: { eventTypeId: EventTypeId; startMs: number; network: Buffer },
): Promise<boolean> {
  const isHeld = async () => (await findHeldBy(db, { ...of, nowMs: clock.nowMs() })) !== null;
  if (!(await isHeld())) return false;
  for (let poll = 0; poll < releasePolls; poll += 1) {
    await sleep(releasePollMs);
    if (!(await isHeld())) return true;
  }
  return false;
}

const isOver = (holds: Record<keyof typeof mostHolds, number>) =>
  (Object.keys(mostHolds) as (keyof typeof mostHolds)[]).some((of) => holds[of] > mostHolds[of]);

/** A hold is a courtesy: who gets none can book all the same. */
const tooManyHolds = () =>
  new AppError('limited', 'LIMITED', 'Too many times are reserved at once. You can still book this one.', {
    retryAfterMs: holdMs,
  });
