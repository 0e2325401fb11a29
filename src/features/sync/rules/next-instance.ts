import type { EventBody, RecId } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Origin } from './desired.ts';

/** The instance that is on or comes next, else the last; '' for a single event. */
export function nextInstance(origin: Origin, nowMs: number): RecId | '' {
  if (origin.body.kind === 'single' || origin.body.kind === 'withheld') return '';
  return nextOccurrence(origin.body, origin, nowMs)?.recId ?? '';
}

/** The instance that runs now or comes next, else the last one; null where there is none within about two years. */
export function nextOccurrence(
  body: EventBody,
  { calendarZone, ownerZone }: Pick<Origin, 'calendarZone' | 'ownerZone'>,
  nowMs: number,
): Occurrence | null {
  const around = (fromDays: number, toDays: number): Occurrence[] =>
    occurrencesOf(
      body,
      calendarZone,
      ownerZone,
      { fromMs: nowMs + fromDays * dayMs, toMs: nowMs + toDays * dayMs },
      eventLimits,
    ).list;
  const ahead = around(0, 31)[0] ?? around(31, 800)[0];
  return ahead ?? around(-800, 0).at(-1) ?? null;
}
