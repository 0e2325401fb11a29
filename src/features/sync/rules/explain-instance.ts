import type { Core, RecId, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { findOccurrence } from '#kernel/recurrence/find-occurrence.ts';
import { type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { Desired, Origin, Pair, SkipReason } from './desired.ts';
import { desiredBlocks } from './desired.ts';
import { everyRefusal } from './refusals.ts';

/** `no-instance`: the event has no instance of this name. */
export type InstanceReason = SkipReason | 'no-instance';

export interface Explained {
  /** The instance with its time; null where the event has no such instance or cannot be read. */
  instance: { core: Core; startMs: number; endMs: number; allDay: boolean } | null;
  /** The name of the block that stands, or shall stand, for it: '' for the whole event; null where there is none. */
  block: RecId | '' | null;
  /** The event stands as a whole, with this instance in it or not. */
  whole: boolean;
  /** Why there is none; empty where there is one. The engine's own reason comes first. */
  reasons: InstanceReason[];
}

/**
 * Whether one instance of an event (`''`: a single event) shall stand in one target, and if not, everything that speaks
 * against it. The engine itself is asked: what it desires is copied, and its reason is the first that is told.
 */
export function explainInstance(origin: Origin, recId: RecId | '', pair: Pair, nowMs: number): Explained {
  return explainDesired(desiredBlocks(origin, pair, nowMs), origin, recId, pair);
}

/** `explainInstance` where the blocks of the event are known. */
export function explainDesired(desired: Desired, origin: Origin, recId: RecId | '', pair: Pair): Explained {
  const whole = desired.blocks.some((one) => one.recId === '');
  const found = findOccurrence(origin.body, recId, origin.calendarZone, origin.ownerZone);
  if (found === null) {
    return {
      instance: null,
      block: null,
      whole,
      reasons: [desired.blocks.length === 0 ? (desired.skipped ?? 'no-instance') : 'no-instance'],
    };
  }
  const { core, startMs, endMs, allDay } = found;
  const block = blockFor(desired, origin, found);
  const reasons = block === null ? [...new Set([...engineReasons(desired, found), ...against(found, pair)])] : [];
  return {
    instance: { core, startMs, endMs, allDay },
    block,
    whole,
    // neither refused nor skipped, and none for it: it lies past what is written instance by instance
    reasons: block === null && reasons.length === 0 ? ['out-of-window'] : reasons,
  };
}

function engineReasons(desired: Desired, { recId }: Occurrence): SkipReason[] {
  const own = desired.refused.get(recId) ?? desired.skipped;
  return own === null || own === undefined ? [] : [own];
}

function against({ core, when, allDay, startMs, endMs }: Occurrence, pair: Pair): SkipReason[] {
  const reasons: SkipReason[] = endMs <= startMs ? ['not-busy'] : [];
  const kind: When =
    when ??
    (allDay
      ? { kind: 'all-day', start: '', end: '' }
      : { kind: 'zoned', start: '', zone: '', duration: { seconds: 0 } });
  reasons.push(...everyRefusal(core, kind, pair));
  if (endMs <= pair.window.fromMs || startMs >= pair.window.toMs) reasons.push('out-of-window');
  return reasons;
}

const limits = { instances: eventLimits.instances, steps: eventLimits.steps };

/** The block that covers an instance: its own, or the series it is part of. */
function blockFor(desired: Desired, origin: Origin, instance: Occurrence): RecId | '' | null {
  if (desired.blocks.some((block) => block.recId === instance.recId)) return instance.recId;
  const whole = desired.blocks.find((block) => block.recId === '');
  if (whole === undefined) return null;
  // by its time: in a block what was floating has another name
  const around = { fromMs: instance.startMs, toMs: instance.startMs + 1 };
  const { list } = occurrencesOf(whole.body, origin.calendarZone, origin.ownerZone, around, limits);
  return list.some((one) => one.startMs === instance.startMs && one.endMs === instance.endMs) ? '' : null;
}
