import { rankAt } from '#features/availability/rules/hold-rules.ts';
import type { Output } from '#kernel/contract.ts';
import type { holdsContract } from './contract.ts';
import { homeOf, rangeOf } from './rules.ts';
import type { Hold } from './store.ts';

type ShownHold = Output<typeof holdsContract.readHold>['hold'];

const minuteMs = 60_000;

/** A hold for the API, in the user's time zone. */
export function toShownHold(hold: Hold, zone: string, nowMs: number): ShownHold {
  const { startMs, endMs, hardenMs, rank, range } = hold;
  const reach = rangeOf(range, homeOf(hold), zone);
  return {
    hold_id: hold.id,
    version: hold.version,
    state: hold.state,
    calendar_id: hold.calendarId,
    event_id: hold.itemId,
    title: hold.title,
    rank,
    rank_now: startMs === null ? rank : rankAt(hold, startMs, nowMs),
    range,
    range_start: reach.startMs,
    range_end: reach.endMs,
    expires_at: hold.expiresMs,
    harden_before_minutes: hardenMs === null ? null : hardenMs / minuteMs,
    start_time: startMs,
    end_time: endMs,
    home_start: hold.homeStartMs,
    home_end: hold.homeEndMs,
  };
}
