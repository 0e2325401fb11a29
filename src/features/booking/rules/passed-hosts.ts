import { decideSlot, type SlotReason } from '#kernel/slots/decide-slot.ts';
import type { SlotQuestion } from '#kernel/slots/slot-question.ts';
import { readSeat } from './seat-hosts.ts';

/** Why a round robin passed somebody over: what is in their way, or that another was next, or looks after the guest. */
export type PassedWhy = SlotReason['kind'] | 'later' | 'owner';

/** Returns all hosts of a pool but the assigned one, each with the first obstacle. */
export function passedHosts(
  question: SlotQuestion,
  startMs: number,
  { turnOf, free, byOwner }: { turnOf: string; free: ReadonlySet<string>; byOwner: boolean },
): Record<string, PassedWhy> {
  const passed: Record<string, PassedWhy> = {};
  for (const host of question.hosts) {
    const { turnOf: whose } = readSeat(host.id);
    if (whose === turnOf || passed[whose] !== undefined) continue;
    if (free.has(whose)) {
      passed[whose] = byOwner ? 'owner' : 'later';
      continue;
    }
    const alone = decideSlot({ ...question, hosts: [host] }, startMs);
    passed[whose] = alone.ok ? 'later' : (alone.reasons[0]?.kind ?? 'no-host');
  }
  return passed;
}
