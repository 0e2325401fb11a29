import type { CountedThing } from './plans.ts';

const named: Record<CountedThing, [one: string, many: string]> = {
  calendars: ['calendar account', 'calendar accounts'],
  teams: ['team of your own', 'teams of your own'],
  workflows: ['workflow', 'workflows'],
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
      ? 'You have no plan at the moment'
      : limit === 0
        ? `Your plan (${plan}) has no ${many}`
        : `Your plan (${plan}) has ${limit} ${limit === 1 ? one : many}, and you have ${counted}`;
  return {
    message: `${has}. Nothing was added; what you have goes on as it is. Choose another plan under Billing.`,
    fields: { thing, limit: String(limit), counted: String(counted), address: '/billing' },
  };
}
