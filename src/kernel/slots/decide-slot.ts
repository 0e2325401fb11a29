import { contains, overlaps, type Span } from '#kernel/time/intervals.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { listFullPeriods, type Period } from './full-periods.ts';
import { listFreeHosts, listSlots, listStarts, zoneOf } from './list-slots.ts';
import { openTogether } from './open-together.ts';
import { countingHosts, neededHosts, type SlotHost, type SlotQuestion } from './slot-question.ts';
import { isJoinable } from './start-windows.ts';

export type SlotDecision = { ok: true; hosts: string[] } | { ok: false; reasons: SlotReason[] };

/**
 * Reason why a start cannot be booked. Reasons with a `host` concern that host only; another free host can still be
 * booked.
 */
export type SlotReason =
  | { kind: 'paused' | 'past' | 'notice' | 'window' | 'not-a-start' | 'no-host' }
  | { kind: 'outside-hours' | 'stale-calendar' | 'full'; host: string }
  /** `span` is what is in the way, `with` the time it would have to leave free: the start's, widened by the buffers. */
  | { kind: 'busy' | 'booked' | 'held'; host: string; span: Span & { id?: string | undefined }; with: Span }
  | { kind: `limit-${Period}`; host: string };

/**
 * Whether a start can be booked, and by which hosts, or every reason why not. Accepts what `listSlots` gives and nothing
 * else. *Errors*: RangeError for a start outside the range: nothing is known of it.
 */
export function decideSlot(question: SlotQuestion, startMs: number): SlotDecision {
  if (!(question.range.startMs <= startMs && startMs < question.range.endMs)) {
    throw new RangeError('The question was loaded for another range.');
  }
  const asked = { ...question, range: { startMs, endMs: startMs + 1 } };
  if (listSlots(asked).length > 0) return { ok: true, hosts: listFreeHosts(asked, startMs).map(({ id }) => id) };
  return { ok: false, reasons: listReasons(asked, startMs) };
}

function listReasons(question: SlotQuestion, startMs: number): SlotReason[] {
  const zone = zoneOf(question);
  const { nowMs, noticeMs, window, durationMs } = question;
  const reasons: SlotReason[] = question.paused ? [{ kind: 'paused' }] : [];
  if (startMs < nowMs) reasons.push({ kind: 'past' });
  else if (startMs < nowMs + noticeMs) reasons.push({ kind: 'notice' });
  if (startMs < window.startMs || startMs >= window.endMs) reasons.push({ kind: 'window' });
  const hosts = countingHosts(question);
  if (hosts.length < neededHosts(question)) reasons.push({ kind: 'no-host' });
  const isOpen =
    question.only !== undefined || contains(openTogether(question), { startMs, endMs: startMs + durationMs });
  if (isOpen && listStarts(question).length === 0) reasons.push({ kind: 'not-a-start' });
  return [...reasons, ...hosts.flatMap((host) => hostReasons(question, host, zone, startMs))];
}

function hostReasons(question: SlotQuestion, host: SlotHost, zone: Zone, startMs: number): SlotReason[] {
  const { durationMs, limits } = question;
  const reasons: SlotReason[] = [];
  const meeting = { startMs, endMs: startMs + durationMs };
  const needed = { startMs: startMs - question.bufferBeforeMs, endMs: meeting.endMs + question.bufferAfterMs };
  const inTheWay = (spans: readonly Span[]) => spans.filter((span) => overlaps(span, needed));
  if (host.stale) reasons.push({ kind: 'stale-calendar', host: host.id });
  if (!contains(host.open, meeting)) reasons.push({ kind: 'outside-hours', host: host.id });
  for (const span of inTheWay(host.busy)) reasons.push({ kind: 'busy', host: host.id, span, with: needed });
  for (const block of host.blocks) {
    if (!overlaps(block, needed)) continue;
    reasons.push({ kind: block.kind === 'hold' ? 'held' : 'booked', host: host.id, span: block, with: needed });
  }
  let joins = false;
  for (const session of host.sessions ?? []) {
    const same = session.startMs === startMs && session.endMs === meeting.endMs;
    if (same && isJoinable(question, session)) joins = true;
    else if (same) reasons.push({ kind: 'full', host: host.id });
    else if (overlaps(session.block, needed))
      reasons.push({ kind: 'booked', host: host.id, span: session, with: needed });
  }
  if (joins) return reasons;
  const { full, all } = listFullPeriods(limits, host.counted ?? [], durationMs, zone);
  const reached = full.filter((span) => span.startMs <= startMs && startMs < span.endMs).map(({ period }) => period);
  for (const period of [...all, ...reached]) reasons.push({ kind: `limit-${period}`, host: host.id });
  return reasons;
}
