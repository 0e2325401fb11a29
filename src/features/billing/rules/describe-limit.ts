import { part } from '#kernel/errors.ts';
import type { CountedThing } from './plans.ts';

const named: Record<CountedThing, [one: string, many: string]> = {
  calendars: [part('calendar account'), part('calendar accounts')],
  teams: [part('team of your own'), part('teams of your own')],
  workflows: [part('workflow'), part('workflows')],
};

/** Why nothing was added, what was kept, and what to do. */
export function describeLimit(
  plan: string | null,
  thing: CountedThing,
  { limit, counted }: { limit: number; counted: number },
): { message: string; fields: Record<string, string> } {
  const [one, many] = named[thing];
  const has =
    plan === null
      ? part('You have no plan at the moment')
      : limit === 0
        ? part(`Your plan (${plan}) has no ${many}`)
        : part(`Your plan (${plan}) has ${limit} ${limit === 1 ? one : many}, and you have ${counted}`);
  return {
    message: `${has}. Nothing was added; what you have goes on as it is. Choose another plan under Billing.`,
    fields: { thing, limit: String(limit), counted: String(counted), address: '/billing' },
  };
}
