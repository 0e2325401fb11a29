import { containsMs } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { isPlain, type Question, type Scope } from './read-question.ts';
import type { BookingFact } from './rules/count-booking.ts';
import { type DaySums, onlyOver, sumByDay } from './rules/day-sums.ts';
import { type Days, spanOf } from './rules/period.ts';
import { findDaySums } from './store/fact-rows.ts';
import { findOutline, listCounting, listStarting, type Outline } from './store/read-facts.ts';

/** The data that panels share, read once for all of them. */
export interface Figures {
  question: Question;
  db: Database;
  /** By day, of the period and the one before; what is not over yet left out where that matters. */
  sums(): Promise<DaySums>;
  /** Bookings that start in the period or the one before. */
  starting(): Promise<readonly BookingFact[]>;
  /** The first booking, and the number of upcoming ones. */
  outline(): Promise<Outline>;
  /** Bookings that count something in the period. */
  counting(): Promise<readonly BookingFact[]>;
}

/** Bookings are direct: another source has none. */
export const hasBookings = ({ source }: Scope) => source === null || source === 'direct';

export function loadFigures(db: Database, question: Question): Figures {
  const { scope, period, nowMs } = question;
  const { zone } = period;
  const both: Days = { firstDay: period.previous.firstDay, endDay: period.endDay };
  const starting = once(async () => (hasBookings(scope) ? listStarting(db, scope, spanOf(both, zone)) : []));
  const sums = once(async () => {
    const kept =
      isPlain(scope) && scope.hostId !== null ? findDaySums(db, scope.hostId, zone.id, both) : Promise.resolve(null);
    const [found, facts] = await Promise.all([kept, starting()]);
    return onlyOver(found ?? sumByDay(await listBoth(), zone, both), facts, zone, nowMs);
  });
  const listBoth = async () => (hasBookings(scope) ? listCounting(db, scope, spanOf(both, zone)) : []);
  const counting = once(async () => (hasBookings(scope) ? listCounting(db, scope, spanOf(period, zone)) : []));
  const outline = once(async () =>
    hasBookings(scope) ? findOutline(db, scope, spanOf(period, zone), nowMs) : { firstMadeMs: null, upcoming: 0 },
  );
  return { question, db, sums, starting, outline, counting };
}

/** Bookings that start within the days. */
export function startingIn(facts: readonly BookingFact[], days: Days, { period }: Question): BookingFact[] {
  const span = spanOf(days, period.zone);
  return facts.filter(({ startMs }) => containsMs(span, startMs));
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= load());
}
