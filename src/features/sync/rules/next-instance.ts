import type { RecId } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { Origin } from './desired.ts';

const dayMs = 86_400_000;

/** The instance that represents a whole event: the current or next one, else the last; '' for a single event. */
export function nextInstance(origin: Origin, nowMs: number): RecId | '' {
  if (origin.body.kind === 'single' || origin.body.kind === 'withheld') return '';
  const around = (fromDays: number, toDays: number): Occurrence[] =>
    occurrencesOf(
      origin.body,
      origin.calendarZone,
      origin.ownerZone,
      { fromMs: nowMs + fromDays * dayMs, toMs: nowMs + toDays * dayMs },
      eventLimits,
    ).list;
  const ahead = around(0, 31)[0] ?? around(31, 800)[0];
  return (ahead ?? around(-800, 0).at(-1))?.recId ?? '';
}
