import { AppError } from '#kernel/errors.ts';
import type { AppointmentId, BookingId } from '#kernel/ids.ts';
import { listSlots as listStarts } from '#kernel/slots/list-slots.ts';
import { type RankedSlot, rankSlots } from '#kernel/slots/rank-slots.ts';
import type { SlotQuestion } from '#kernel/slots/slot-question.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import { nextTurn } from '#platform/in-slices.ts';
import type { Reading } from '#platform/reading.ts';
import type { PublicType } from './find-public-type.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { listStartTimes } from './store/appointment-facts.ts';

export interface OfferAsked {
  found: Pick<PublicType, 'type' | 'link'>;
  /** Range of starts; at most 62 days. */
  range: Span;
  durationMinutes: number;
  /** Being moved: its own time can be had again. */
  without?: AppointmentId | null;
  /** The held seat of the guest who asks, in a group. */
  withoutHold?: BookingId | undefined;
  /** Asks which three suit best, for somebody there. */
  guestZone?: string;
  /** Asked in the same statement: whether what was found is still so. */
  stands?: Reading<boolean> | undefined;
}

/** Bookable starts. *Units*: epoch ms. */
export interface Offer {
  starts: number[];
  /** Free seats of each start, for a group whose host shows them. */
  seatsLeft: number[] | null;
  /** Where there is no start: the first one after the range, null where there is none within two months of it. */
  next: number | null;
  /** The best first; none unless asked, or where the event type recommends nothing. */
  recommended: RankedSlot[];
  /** Whether starts are withheld because a calendar was not read for longer than the event type allows. */
  withheld: boolean;
  /** False: what was found is no longer so, and the rest means nothing. */
  stands: boolean;
}

const mostMs = 62 * dayMs;
const recommendedMost = 3;
/** So far back it counts when people book. */
const historyMs = 90 * dayMs;

/**
 * The starts of an event type that can be booked. Nothing is said of what is in the way of the others. One
 * query or two, twice that where the range has no start, whatever the number of hosts and calendars.
 * *Errors*: AppError invalid (RANGE, DURATION).
 */
export async function listSlots(app: Pick<App, 'db' | 'clock'>, asked: OfferAsked): Promise<Offer> {
  checkAsked(asked);
  const nowMs = app.clock.nowMs();
  const { startMs, endMs } = asked.range;
  const ask = (range: Span) => loadSlotQuestion(app.db, { ...asked, ...asked.found, range, nowMs });

  const { question, stands } = await ask({ startMs: Math.max(startMs, nowMs), endMs: Math.max(endMs, nowMs) });
  const starts = await startsOf(question);
  const recommended = await recommend(app, asked, question, starts);
  const { seats, shows_seats: tellsSeats = false } = asked.found.type.settings;
  const seatsLeft = seats > 1 && tellsSeats ? starts.map(seatsAt(question, asked)) : null;
  const withheld = starts.length === 0 && question.hosts.some(({ stale }) => stale);
  if (!stands || starts.length > 0 || question.paused || question.window.endMs <= question.range.endMs) {
    return { starts, seatsLeft, next: null, recommended, withheld, stands };
  }
  const later = await ask({ startMs: question.range.endMs, endMs: question.range.endMs + mostMs });
  return { starts, seatsLeft, next: (await startsOf(later.question))[0] ?? null, recommended, withheld, stands };
}

/** More than two months of working days have in steps of a quarter of an hour. */
const dearStarts = 2_000;

/** A schedule with many starts takes some ten milliseconds. Several at once take turns, so that nobody waits for all. */
async function startsOf(question: SlotQuestion): Promise<number[]> {
  const openMs = question.hosts.reduce(
    (sum, { open }) => sum + open.reduce((all, { startMs, endMs }) => all + endMs - startMs, 0),
    0,
  );
  if (openMs / question.stepMs > dearStarts) await nextTurn();
  return listStarts(question);
}

function checkAsked({ found: { type, link }, range, durationMinutes }: OfferAsked): void {
  if (range.endMs <= range.startMs || range.endMs - range.startMs > mostMs) {
    throw new AppError('invalid', 'RANGE', 'Choose a range of up to 62 days that ends after it begins.');
  }
  const durations = link?.durationMinutes ? [link.durationMinutes] : type.settings.durations_minutes;
  if (!durations.includes(durationMinutes)) {
    throw new AppError('invalid', 'DURATION', `Choose one of these durations in minutes: ${durations.join(' or ')}.`);
  }
}

function seatsAt({ hosts }: SlotQuestion, { found: { type } }: OfferAsked): (startMs: number) => number {
  const sessions = new Map(hosts.flatMap((host) => (host.sessions ?? []).map((one) => [one.startMs, one.seatsLeft])));
  return (startMs) => sessions.get(startMs) ?? type.settings.seats;
}

async function recommend(
  { db }: Pick<App, 'db'>,
  { found: { type }, guestZone }: OfferAsked,
  question: SlotQuestion,
  starts: number[],
): Promise<RankedSlot[]> {
  if (guestZone === undefined || type.userId === null || !type.settings.recommend || starts.length === 0) return [];
  const times = await listStartTimes(db, type.userId, question.nowMs - historyMs);
  const zone = loadZone(question.zone) ?? utc;
  const popularity = Array.from({ length: 24 }, () => 0);
  for (const startMs of times) {
    const hour = Math.floor((zone.toLocal(startMs) % dayMs) / hourMs);
    popularity[hour] = (popularity[hour] ?? 0) + 1;
  }
  return rankSlots(question, starts, { popularity, guestZone, count: recommendedMost });
}
