import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { rateOf } from './figures.ts';
import type { FunnelStage } from './measures.ts';

/** The steps of one visitor at one event type without a long pause. Epoch ms. */
export interface Visit {
  firstMs: number;
  chosenMs: number | null;
  submittedMs: number | null;
  /** From the booking that the visit led to. */
  confirmedMs: number | null;
  isHeld: boolean;
}

/** Pause after which the next sign begins another visit. */
export const pauseMs = 30 * minuteMs;
const inTimeMs = dayMs;

/** Each stage only of those that came through the one before. */
export function stagesOf({ chosenMs, submittedMs, confirmedMs, isHeld }: Visit): FunnelStage[] {
  const stages: FunnelStage[] = ['viewed'];
  if (chosenMs === null) return stages;
  stages.push('chosen');
  if (submittedMs === null) return stages;
  stages.push('submitted');
  if (confirmedMs === null || confirmedMs - chosenMs > inTimeMs) return stages;
  stages.push('confirmed');
  return isHeld ? [...stages, 'held'] : stages;
}

export type StageCounts = Readonly<Record<FunnelStage, number>>;

export const conversionOf = (now: StageCounts, before: StageCounts) =>
  rateOf([now.confirmed, now.chosen], [before.confirmed, before.chosen]);

/** Facts from the request of a visitor. */
export interface VisitorFacts {
  userAgent: string | undefined;
  /** Do Not Track, or Global Privacy Control. */
  asksNotToBeTracked: boolean;
  /** Read ahead by a browser, before anybody looks. */
  isPrefetch: boolean;
}

/** User agents of programs. A client without a user agent is not counted as a visitor either. */
const machine =
  /bot\b|bot[/;]|crawl|spider|slurp|preview|fetch|scan|monitor|uptime|pingdom|lighthouse|headless|phantom|puppeteer|playwright|selenium|curl|wget|python|java\/|okhttp|axios|node|undici|go-http|libwww|httpclient|facebookexternalhit|whatsapp|telegram|slack|discord|embedly|quora|pinterest|validator|archive/i;

/** Whether a visit is one that is counted. */
export function isCounted({ userAgent, asksNotToBeTracked, isPrefetch }: VisitorFacts): boolean {
  return !asksNotToBeTracked && !isPrefetch && userAgent !== undefined && userAgent !== '' && !machine.test(userAgent);
}
