import { minuteMs } from '#kernel/time/civil.ts';
import { rateLimited } from './errors.ts';
import type { World } from './world.ts';

/**
 * A sliding minute per user and per project: requests of the last 60 s count, half-open. A refused one counts nothing.
 * Source: Google Calendar API, "Manage quotas".
 */
export function withinQuota(world: World, user: string, nowMs: number): void {
  const { recent, knobs } = world;
  const own = recent.byUser.get(user) ?? [];
  recent.byUser.set(user, own);
  forget(own, nowMs);
  forget(recent.project, nowMs);
  if (own.length >= knobs.perMinutePerUser || recent.project.length >= knobs.perMinutePerProject) {
    throw rateLimited(knobs.rateLimitStyle);
  }
  own.push(nowMs);
  recent.project.push(nowMs);
}

function forget(times: number[], nowMs: number): void {
  let old = 0;
  while (old < times.length && times[old]! <= nowMs - minuteMs) old += 1;
  if (old > 0) times.splice(0, old);
}
