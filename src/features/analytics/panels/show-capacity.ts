import { listOpenHours } from '#features/availability/public.ts';
import { hourMs } from '#kernel/time/civil.ts';
import { intersectSpans } from '#kernel/time/intervals.ts';
import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { addCapacities, type Capacity, capacityOf, hoursOf, utilizationOf } from '../rules/capacity.ts';
import type { BookingFact } from '../rules/count-booking.ts';
import type { RowOf } from '../rules/explanation.ts';
import { knownSince } from '../rules/known-since.ts';
import { type Days, dateOf, spanOf, startOf } from '../rules/period.ts';
import { listTaken } from '../store/read-calendars.ts';

/** How much of open time is booked, host by host. */
export async function showCapacity(figures: Figures) {
  const { db, question } = figures;
  const { period, nowMs, memberIds } = question;
  const { zone } = period;
  const since = knownSince(period, period, nowMs);
  const days = { firstDay: since ?? period.firstDay, endDay: period.endDay };
  const both = { firstDay: period.previous.firstDay, endDay: period.endDay };
  const asked = memberIds.map((userId) => ({ userId, policy: { kind: 'default' } as const }));
  const [open, taken, facts] = await Promise.all([
    listOpenHours(db, asked, spanOf(both, zone), nowMs),
    listTaken(db, memberIds, spanOf(both, zone)),
    figures.starting(),
  ]);
  const takenOf = Map.groupBy(taken, ({ userId }) => userId);
  const of = (hosts: typeof open, range: Days, bookings: readonly BookingFact[]): Capacity => {
    const within = [spanOf(range, zone)];
    return addCapacities(
      hosts.map(({ userId, spans }) =>
        capacityOf(
          intersectSpans(spans, within),
          takenOf.get(userId) ?? [],
          bookings.filter(({ state, hostIds }) => state === 'confirmed' && hostIds.includes(userId)),
        ),
      ),
    );
  };
  const isKnown = days.firstDay < days.endDay;
  const now = isKnown ? of(open, days, facts) : null;
  // the days before are comparable only where all of them are known
  const isPreviousKnown = knownSince(period.previous, period, nowMs) === null;
  const previous = isPreviousKnown ? utilizationOf(of(open, period.previous, facts)) : null;
  const utilization = now === null ? null : utilizationOf(now);
  const data = {
    hours_open: now === null ? null : hoursOf(now.openMs),
    hours_available: now === null ? null : hoursOf(now.availableMs),
    hours_booked: now === null ? null : hoursOf(now.bookedMs),
    utilization_pct: utilization,
    previous_pct: previous,
    since: since === null ? null : dateOf(since),
  };
  const rows = (): RowOf[] => {
    if (!isKnown) return [];
    return Array.from({ length: days.endDay - days.firstDay }, (_, n) => days.firstDay + n).map((day) => {
      const one = of(open, { firstDay: day, endDay: day + 1 }, facts);
      return {
        kind: 'day',
        id: dateOf(day),
        title: dateOf(day),
        atMs: startOf(zone, day),
        part: 'hours',
        numerator: one.bookedMs / hourMs,
        denominator: one.availableMs / hourMs,
      };
    });
  };
  return {
    data,
    numerator: now === null ? null : now.bookedMs / hourMs,
    denominator: now === null ? null : now.availableMs / hourMs,
    rows,
  } satisfies Figure<typeof data>;
}
