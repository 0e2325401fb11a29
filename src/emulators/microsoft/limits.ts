import { GraphError } from './graph-errors.ts';
import type { World } from './world.ts';

const tenMinutesMs = 600_000;

/**
 * The limits of Outlook per application and mailbox; a request that is refused counts too.
 * Source: "Microsoft Graph throttling limits", Outlook service limits.
 */
export function checkLimits(world: World, lane: string, ahead: number, nowMs: number): void {
  const recent = world.recent.get(lane) ?? [];
  world.recent.set(lane, recent);
  while (recent.length > 0 && recent[0]! <= nowMs - tenMinutesMs) recent.shift();
  recent.push(nowMs);
  if (ahead >= world.knobs.concurrency) throw throttled('MailboxConcurrency', 1);
  if (recent.length <= world.knobs.requestsPer10Minutes) return;
  throw throttled('RequestRate', Math.max(1, Math.ceil((recent[0]! + tenMinutesMs - nowMs) / 1_000)));
}

/** `Retry-After` in seconds, as a date, or not at all (M5). */
export function throttled(limit: string, retryAfter: number | string | null): GraphError {
  return new GraphError(429, 'ApplicationThrottled', `Application is over its ${limit} limit.`, {
    headers: retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
  });
}
