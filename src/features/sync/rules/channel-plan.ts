import type { CalendarId } from '#kernel/ids.ts';

/** A channel as the planner sees it. */
export interface PlannedChannel {
  id: string;
  calendarId: CalendarId;
  state: 'opening' | 'live' | 'closing';
  openedMs: number;
  renewMs: number | null;
  expiresMs: number | null;
}

export interface WatchedCalendar {
  calendarId: CalendarId;
  /** No channel is asked for before then. */
  afterMs: number;
}

export type ChannelAction<C> =
  | { do: 'open'; calendarId: CalendarId }
  /** Ask for a longer life; where the provider knows no renewal, open another. */
  | { do: 'renew'; channel: C }
  | { do: 'close'; channel: C }
  /** Nothing of it stands at the provider, or nothing that could be closed. */
  | { do: 'forget'; channel: C };

/** An answer that has not come by then will not come. */
const openingMs = 120_000;

/**
 * Plans channels so that each watched calendar has one that lives for a while yet. Pure. A channel is closed only when
 * a newer one of its calendar is live. Notices may therefore come twice but are never lost.
 */
export function planChannels<C extends PlannedChannel>(
  watched: readonly WatchedCalendar[],
  channels: readonly C[],
  nowMs: number,
): ChannelAction<C>[] {
  const actions: ChannelAction<C>[] = [];
  const wanted = new Map(watched.map((calendar) => [calendar.calendarId, calendar]));
  const kept = new Map<CalendarId, C[]>();
  for (const channel of channels) {
    const fate = fateOf(channel, wanted.has(channel.calendarId), nowMs);
    if (fate === 'keep') kept.set(channel.calendarId, [...(kept.get(channel.calendarId) ?? []), channel]);
    else actions.push({ do: fate, channel });
  }
  for (const { calendarId, afterMs } of watched) {
    const own = (kept.get(calendarId) ?? []).toSorted((one, other) => one.openedMs - other.openedMs);
    const youngest = own.findLast((channel) => channel.state === 'live');
    for (const channel of own) {
      if (channel.state === 'live' && channel !== youngest) actions.push({ do: 'close', channel });
    }
    if (own.some((channel) => channel.state === 'opening') || nowMs < afterMs) continue;
    if (youngest === undefined) actions.push({ do: 'open', calendarId });
    else if ((youngest.renewMs ?? 0) <= nowMs) actions.push({ do: 'renew', channel: youngest });
  }
  return actions;
}

function fateOf(channel: PlannedChannel, wanted: boolean, nowMs: number): 'keep' | 'close' | 'forget' {
  if (channel.state === 'opening') return nowMs - channel.openedMs < openingMs ? 'keep' : 'forget';
  if ((channel.expiresMs ?? 0) <= nowMs) return 'forget';
  return channel.state === 'closing' || !wanted ? 'close' : 'keep';
}

/** When a channel is renewed: at 80 % of its life. */
export function renewalOf(openedMs: number, expiresMs: number): number {
  return Math.round(openedMs + 0.8 * Math.max(0, expiresMs - openedMs));
}
