import { getAvailability } from '#features/availability/public.ts';
import type { Output } from '#kernel/contract.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { analyticsContract } from './contract.ts';
import { loadFigures, startingIn } from './load-figures.ts';
import { type Asked, readQuestion } from './read-question.ts';
import { draftHours, popularSlots } from './rules/popular-slots.ts';

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
    readQuestion(app, actor, asked),
    getAvailability(app, actor),
  ]);
  const facts = await loadFigures(app.db, question).starting();
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
