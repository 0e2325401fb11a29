import type { TypeSettings } from './type-settings.ts';

/** How the event of an appointment stands in its calendar. *Units*: epoch ms. */
export interface EventStanding {
  startMs: number;
  endMs: number;
  allDay: boolean;
  /** By whose calendar it is. */
  declined: boolean;
}

interface Judged {
  appointment: { startMs: number; endMs: number; restores: number };
  /** Null: it is gone. */
  event: EventStanding | null;
  rules: Pick<TypeSettings, 'when_moved' | 'when_deleted'>;
  /** Where it stands now something else takes its time. */
  isMet: boolean;
  /** How many events of the same calendar went together with it. */
  goneTogether: number;
  nowMs: number;
}

export type Verdict =
  | { kind: 'as-is' }
  | { kind: 'follow'; startMs: number; endMs: number }
  | { kind: 'restore' }
  | { kind: 'cancel' }
  | { kind: 'ask'; about: 'moved' | 'deleted' | 'declined' };

/** So many that go at once went for a reason that is not about them: an account that was emptied, a server's fault. */
const mostGone = 3;
/** An event that moves away again this often is a person's wish, or a calendar that stores times differently. */
const mostRestores = 3;
/** Longer than any event type lasts. */
const longestMs = 86_400_000;

/**
 * Decides about an appointment whose event has this state (semantics 11). Only the current state counts, not its
 * history: repeated or late calls give the same verdict.
 */
export function judgeEvent({ appointment, event, rules, isMet, goneTogether, nowMs }: Judged): Verdict {
  const mayRestore = appointment.restores < mostRestores;
  if (event === null) {
    if (rules.when_deleted === 'restore' && mayRestore) return { kind: 'restore' };
    if (rules.when_deleted === 'cancel' && goneTogether <= mostGone) return { kind: 'cancel' };
    return { kind: 'ask', about: 'deleted' };
  }
  if (event.declined) return rules.when_deleted === 'cancel' ? { kind: 'cancel' } : { kind: 'ask', about: 'declined' };
  const { startMs, endMs } = event;
  if (startMs === appointment.startMs && endMs === appointment.endMs) return { kind: 'as-is' };
  if (rules.when_moved === 'restore' && mayRestore) return { kind: 'restore' };
  const canFollow = !isMet && !event.allDay && startMs > nowMs && endMs > startMs && endMs - startMs <= longestMs;
  if (rules.when_moved === 'follow' && canFollow) return { kind: 'follow', startMs, endMs };
  return { kind: 'ask', about: 'moved' };
}
