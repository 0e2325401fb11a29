export const everyWords = ['month', 'year'] as const;
export type Every = (typeof everyWords)[number];

/** What a plan counts of a person. */
export const countedThings = ['calendars', 'teams', 'workflows'] as const;
export type CountedThing = (typeof countedThings)[number];

/** Null: as many as one likes. */
export type Limits = Readonly<Record<CountedThing | 'historyDays', number | null>>;

export const unlimited: Limits = { calendars: null, teams: null, workflows: null, historyDays: null };
/** What figures show of without any plan: the usual period of the dashboard, which nobody sells. */
export const shortestHistoryDays = 30;
/** Nothing can be added; what is there stays. */
export const nothingMore: Limits = { calendars: 0, teams: 0, workflows: 0, historyDays: shortestHistoryDays };

export interface Plan {
  key: string;
  name: string;
  description: string;
  /** In the smallest unit of its currency. */
  amount: number;
  currency: string;
  every: Every;
  features: string[];
  limits: Limits;
  /** This is the plan of the trial, which lasts so long; null for all others. */
  trialDays: number | null;
  /** Days of the trial that are left stay free for who takes it. */
  trialEligible: boolean;
  active: boolean;
  mostPopular: boolean;
  position: number;
  revision: number;
}

export const isTrialPlan = (plan: Plan) => plan.trialDays !== null;
/** Can be had without paying, for as long as one likes. */
export const isFreePlan = (plan: Plan) => plan.amount === 0 && plan.trialDays === null;
export const isForSale = (plan: Plan) => plan.active && plan.amount > 0;

/** The only accounts that are no connection to anywhere: what Holdfast keeps itself. */
export const countsAsCalendar = ({ provider }: { provider: string }) => provider !== 'holdfast';
