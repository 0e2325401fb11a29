import type { Figure } from '../explain-figure.ts';
import { type Figures, startingIn } from '../load-figures.ts';
import { isTaken, popularSlots, slotOf } from '../rules/popular-slots.ts';

/** When meetings start. */
export async function showSlots(figures: Figures): Promise<Figure<ReturnType<typeof popularSlots>>> {
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
