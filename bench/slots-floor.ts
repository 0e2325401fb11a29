import type { SlotHost, SlotQuestion } from '#kernel/slots/slot-question.ts';

/**
 * The least that answers correctly: steps through the open hours of each host, walks its busy time along, and counts. Knows
 * no buffers, limits, sessions, clock changes within hours or reasons; open hours have to begin at whole steps.
 */
export function floorSlots(
  question: Pick<SlotQuestion, 'hosts' | 'shape' | 'stepMs' | 'durationMs' | 'range'>,
): number[] {
  const { hosts, shape, stepMs, range } = question;
  const counts = new Uint16Array(Math.ceil((range.endMs - range.startMs) / stepMs));
  for (const host of hosts) countStarts(counts, host, question);
  const needed = shape === 'collective' ? hosts.length : 1;
  const slots: number[] = [];
  for (let n = 0; n < counts.length; n += 1) if (counts[n]! >= needed) slots.push(range.startMs + n * stepMs);
  return slots;
}

function countStarts(
  counts: Uint16Array,
  { open, busy }: SlotHost,
  { stepMs, durationMs, range }: Pick<SlotQuestion, 'stepMs' | 'durationMs' | 'range'>,
): void {
  let next = 0;
  for (const span of open) {
    for (let startMs = span.startMs; startMs + durationMs <= span.endMs; startMs += stepMs) {
      if (startMs < range.startMs || startMs >= range.endMs) continue;
      while (next < busy.length && busy[next]!.endMs <= startMs) next += 1;
      let isFree = true;
      for (let at = next; isFree && at < busy.length && busy[at]!.startMs < startMs + durationMs; at += 1) {
        isFree = busy[at]!.endMs <= startMs;
      }
      if (isFree) counts[(startMs - range.startMs) / stepMs]! += 1;
    }
  }
}
