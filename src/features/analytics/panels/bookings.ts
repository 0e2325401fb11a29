import { getAvailability } from '#features/availability/public.ts';
import type { Output } from '#kernel/contract.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { containsMs } from '#kernel/time/intervals.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { analyticsContract } from '../contract.ts';
import { type Asked, createFigures, type Figure, type Figures, resolveQuestion, startingIn } from '../figures.ts';
import { type BookingFact, countBooking, overOnly } from '../rules/count-booking.ts';
import type { RowOf } from '../rules/explanation.ts';
import { bookingTimeOf, noShowOf, totalOf, trendsOf } from '../rules/figures.ts';
import { spanOf } from '../rules/period.ts';
import { draftHours, isTaken, popularSlots, slotOf } from '../rules/popular-slots.ts';

/** One row for each thing that a booking counts in the period, as the figure counts it. */
async function listBookingRows(
  figures: Figures,
  row: (
    fact: BookingFact,
    counts: ReturnType<typeof countBooking>[number]['counts'],
  ) => Omit<RowOf, 'kind' | 'id' | 'atMs'>[],
): Promise<RowOf[]> {
  const { period, nowMs } = figures.question;
  const span = spanOf(period, period.zone);
  return (await figures.counting()).flatMap((fact) =>
    countBooking(fact)
      .filter(({ atMs }) => containsMs(span, atMs))
      .flatMap(({ atMs, counts }) => {
        const isOver = fact.endMs <= nowMs;
        const known = isOver
          ? counts
          : Object.fromEntries(Object.entries(counts).filter(([name]) => !isOverOnly(name)));
        return row(fact, known).map((one) => ({ kind: 'booking' as const, id: fact.id, atMs, ...one }));
      }),
  );
}

const isOverOnly = (name: string) => (overOnly as readonly string[]).includes(name);

/** How many bookings were made, how many meetings were held, and how many of what was made are to come. */
export async function getTotal(figures: Figures): Promise<Figure<ReturnType<typeof totalOf>>> {
  const { period } = figures.question;
  const [sums, { upcoming }] = await Promise.all([figures.sums(), figures.outline()]);
  const data = totalOf(sums, period, upcoming);
  return {
    data,
    numerator: data.value,
    denominator: null,
    rows: () =>
      listBookingRows(figures, (_, { created }) =>
        created ? [{ part: 'created', numerator: 1, denominator: 0 }] : [],
      ),
  };
}

/** Bookings over time. */
export async function getTrends(figures: Figures): Promise<Figure<ReturnType<typeof trendsOf>>> {
  const { period, nowMs } = figures.question;
  const data = trendsOf(await figures.sums(), period, nowMs);
  return {
    data,
    // several lines: each is the sum of its own part
    numerator: null,
    denominator: null,
    rows: () =>
      listBookingRows(figures, (_, { created, standing, cancelled, noShows, leadMs = 0 }) => [
        ...(created ? [{ part: 'bookings_created', numerator: 1, denominator: 0 }] : []),
        ...(standing ? [{ part: 'meetings_held', numerator: 1, denominator: 0 }] : []),
        ...(cancelled ? [{ part: 'cancellations', numerator: 1, denominator: 0 }] : []),
        ...(noShows ? [{ part: 'no_shows', numerator: 1, denominator: 0 }] : []),
        ...(created ? [{ part: 'avg_lead_time_days', numerator: leadMs / dayMs, denominator: 1 }] : []),
      ]),
  };
}

/** How long before they start meetings are booked. */
export async function getBookingTime(figures: Figures): Promise<Figure<ReturnType<typeof bookingTimeOf>>> {
  const data = bookingTimeOf(await figures.sums(), figures.question.period);
  const rows = () =>
    listBookingRows(figures, (_, { kept, keptLeadMs = 0 }) =>
      kept ? [{ part: 'lead time in days', numerator: keptLeadMs / dayMs, denominator: 1 }] : [],
    );
  return {
    data,
    numerator: figures.question.explain ? (await rows()).reduce((sum, { numerator }) => sum + numerator, 0) : null,
    denominator: data.bookings,
    rows,
  };
}

/** How many guests did not come. */
export async function getNoShows(figures: Figures): Promise<Figure<ReturnType<typeof noShowOf>>> {
  const data = noShowOf(await figures.sums(), figures.question.period);
  return {
    data,
    numerator: data.numerator,
    denominator: data.denominator,
    rows: () =>
      listBookingRows(figures, ({ state }, { due, noShows }) =>
        due
          ? [
              {
                part: noShows ? 'no-show' : state === 'cancelled' ? 'cancelled' : 'held',
                numerator: noShows ?? 0,
                denominator: 1,
              },
            ]
          : [],
      ),
  };
}

/** When meetings start. */
export async function getPopularSlots(figures: Figures): Promise<Figure<ReturnType<typeof popularSlots>>> {
  const { period, view } = figures.question;
  const facts = startingIn(await figures.starting(), period, figures.question).filter(isTaken);
  const data = popularSlots(facts, view);
  return {
    data,
    numerator: data.total,
    denominator: null,
    rows: () =>
      facts.map((fact) => {
        const { weekday, hour } = slotOf(fact, view);
        return {
          kind: 'booking',
          id: fact.id,
          atMs: fact.startMs,
          part: `${weekday} ${hour}`,
          numerator: 1,
          denominator: 0,
        };
      }),
  };
}

/**
 * The caller's hours as they would be with popular hours that are closed now. Hours are a person's own, and so is the clock
 * they are counted by: whoever looks through the eyes of invitees adds where hosts are asked for all the same.
 */
export async function draftPopularHours(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: Actor,
  asked: Asked,
): Promise<Output<typeof analyticsContract.draftHours>> {
  const [question, { current, policies }] = await Promise.all([
    resolveQuestion(app, actor, asked),
    getAvailability(app, actor),
  ]);
  const facts = await createFigures(app.db, question).starting();
  const zone = loadZone(current.hours.timezone) ?? utc;
  const { heatmap } = popularSlots(startingIn(facts, question.period, question), { zone, perspective: 'organizer' });
  const { after, added } = draftHours(current.hours, heatmap);
  return {
    policy_id: current.policy_id,
    name: policies.find(({ policy_id: id }) => id === current.policy_id)?.name ?? null,
    version: current.version,
    before: current.hours,
    after,
    added,
  };
}
