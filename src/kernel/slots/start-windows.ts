import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { listFullPeriods } from './full-periods.ts';
import type { SlotHost, SlotQuestion, SlotSession } from './slot-question.ts';

/** Sorted and disjoint: `[first, last, first, last, …]`, both included. Flat, since a pool of hosts has thousands. */
export type Windows = number[];

/**
 * When something may start with a host: it lies in open hours, with its buffers it meets nothing that takes time, and no
 * limit of the period is used up; or it takes a seat that is left in a session. Notice, window and grid are not asked.
 */
export function listStartWindows(question: SlotQuestion, host: SlotHost, zone: Zone): Windows {
  if (host.stale) return [];
  const sessions = host.sessions ?? [];
  const taken = mergeSorted(host.busy, host.blocks);
  const fresh = withinLimits(
    question,
    host,
    zone,
    windowsBetween(question, host.open, withSessions(taken, sessions, null)),
  );
  const seats: number[] = [];
  for (const session of sessions) {
    if (!isJoinable(question, session)) continue;
    const range = { startMs: session.startMs, endMs: session.startMs + 1 };
    const others = withSessions(taken, sessions, session);
    seats.push(...windowsBetween({ ...question, range }, host.open, others));
  }
  return seats.length === 0 ? fresh : joinWindows(fresh, seats);
}

/** Whether the session has seats left for all who come, and this length. */
export function isJoinable({ durationMs, range, people = 1 }: SlotQuestion, session: SlotSession): boolean {
  return (
    session.seatsLeft >= people &&
    session.endMs - session.startMs === durationMs &&
    range.startMs <= session.startMs &&
    session.startMs < range.endMs
  );
}

function withSessions(
  taken: readonly Span[],
  sessions: readonly SlotSession[],
  except: SlotSession | null,
): readonly Span[] {
  if (sessions.length === 0) return taken;
  const blocks = sessions.filter((session) => session !== except).map(({ block }) => block);
  return mergeSorted(
    taken,
    blocks.toSorted((a, b) => a.startMs - b.startMs),
  );
}

/** Two lists sorted by start as one. */
function mergeSorted(a: readonly Span[], b: readonly Span[]): readonly Span[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  return [...a, ...b].sort((one, other) => one.startMs - other.startMs);
}

/** The starts for which [start, start + duration) is open and, widened by the buffers, meets nothing that is taken. */
function windowsBetween(question: SlotQuestion, open: readonly Span[], taken: readonly Span[]): Windows {
  const { durationMs, bufferBeforeMs, range } = question;
  const tailMs = durationMs + question.bufferAfterMs;
  const windows: Windows = [];
  let next = 0;
  for (const span of open) {
    if (span.startMs >= range.endMs) break;
    let firstMs = Math.max(span.startMs, range.startMs);
    const lastMs = Math.min(span.endMs - durationMs, range.endMs - 1);
    if (firstMs > lastMs) continue;
    // a time that ended before this start has ended before all later ones
    while (next < taken.length && (taken[next] as Span).endMs + bufferBeforeMs <= firstMs) next += 1;
    for (let at = next; at < taken.length && firstMs <= lastMs; at += 1) {
      const { startMs, endMs } = taken[at] as Span;
      if (startMs - tailMs >= lastMs) break;
      if (startMs >= endMs) continue; // without length it takes no time
      if (startMs - tailMs >= firstMs) windows.push(firstMs, startMs - tailMs);
      firstMs = Math.max(firstMs, endMs + bufferBeforeMs);
    }
    if (firstMs <= lastMs) windows.push(firstMs, lastMs);
  }
  return windows;
}

function withinLimits({ limits, durationMs }: SlotQuestion, host: SlotHost, zone: Zone, windows: Windows): Windows {
  if (limits.day === undefined && limits.week === undefined && limits.month === undefined) return windows;
  const { full, all } = listFullPeriods(limits, host.counted ?? [], durationMs, zone);
  if (all.length > 0) return [];
  return full.length === 0 ? windows : cutWindows(windows, normalizeSpans(full));
}

/** Without the starts that lie in the cuts, a span list. */
function cutWindows(windows: Windows, cuts: readonly Span[]): Windows {
  const left: Windows = [];
  let next = 0;
  for (let i = 0; i < windows.length; i += 2) {
    let firstMs = windows[i] as number;
    const lastMs = windows[i + 1] as number;
    while (next < cuts.length && (cuts[next] as Span).endMs <= firstMs) next += 1;
    for (let at = next; at < cuts.length; at += 1) {
      const cut = cuts[at] as Span;
      if (cut.startMs > lastMs) break;
      if (cut.startMs > firstMs) left.push(firstMs, cut.startMs - 1);
      firstMs = cut.endMs;
    }
    if (firstMs <= lastMs) left.push(firstMs, lastMs);
  }
  return left;
}

function joinWindows(a: Windows, b: Windows): Windows {
  const spans: Span[] = [];
  for (const list of [a, b]) {
    for (let i = 0; i < list.length; i += 2)
      spans.push({ startMs: list[i] as number, endMs: (list[i + 1] as number) + 1 });
  }
  return normalizeSpans(spans).flatMap(({ startMs, endMs }) => [startMs, endMs - 1]);
}
