import { type Core, type EventBody, eventLimits, type RecId, type Single, type When } from '#kernel/event.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { boundsOf, type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { usualMs } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import { utc } from '#kernel/time/zones.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';

type Instance = { when: When; core: Core };

const limits = { instances: eventLimits.overrides, steps: 10_000 };

/**
 * Events of several UIDs that a server keeps as one object, which RFC 4791 4.1 forbids: all instants of all of them. They
 * take their time, and nobody can write them. A series without an end has no list of instants: withheld.
 * *Errors*: WorkLimitError past the budget.
 */
export function joinBodies(of: string, bodies: EventBody[], budget: WorkBudget | undefined): EventBody {
  const list: Record<RecId, Instance> = {};
  let count = 0;
  for (const body of bodies) {
    const instances = instancesOf(body, budget);
    if (instances === null) return withheld();
    for (const [recId, instance] of instances) {
      const other = list[recId];
      if (other !== undefined && takes(other) >= takes(instance)) continue;
      if (other === undefined) count += 1;
      list[recId] = instance;
    }
    if (count > eventLimits.overrides) return withheld();
  }
  return { kind: 'instances', of, from: -8.64e15, to: 8.64e15, list };
}

function withheld(): EventBody {
  return { kind: 'withheld', reason: warning('several-uids-unreadable', {}) };
}

/** The longer one of two events with one start counts. */
function takes({ when, core }: Instance): number {
  if (core.busy === 'free') return -1;
  if (when.kind === 'all-day') return Number.POSITIVE_INFINITY;
  return usualMs(when.duration);
}

function instancesOf(body: EventBody, budget: WorkBudget | undefined): [RecId, Instance][] | null {
  if (body.kind === 'withheld') return null;
  if (body.kind === 'instances') return Object.entries(body.list);
  if (body.kind === 'single') return [[nameOf(body), body]];
  const master = body.kind === 'split' ? body.series : body;
  const bounds = boundsOf(body, 'UTC', 'UTC', budget);
  if (bounds?.endMs == null) return null;
  const window = { fromMs: bounds.startMs - 1, toMs: bounds.endMs + 1 };
  const { list, tooDense } = occurrencesOf(body, 'UTC', 'UTC', window, limits, budget);
  if (tooDense) return null;
  return list.map((one) => [one.recId as RecId, { when: one.when ?? whenOf(one, master), core: one.core }]);
}

function nameOf({ when }: Single): RecId {
  const localMs = parseLocal(when.start) ?? 0;
  return makeRecId(when.kind, when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc).toInstant(localMs) : localMs);
}

/** When an instance of a series is. Days and floating times were read in UTC. */
function whenOf({ startMs, endMs }: Occurrence, { when }: { when: When }): When {
  if (when.kind === 'all-day') return { kind: 'all-day', start: printLocalDate(startMs), end: printLocalDate(endMs) };
  const duration = { seconds: (endMs - startMs) / 1_000 };
  if (when.kind === 'floating') return { kind: 'floating', start: printLocalDateTime(startMs), duration };
  const zone = loadEventZone(when.zone) ?? utc;
  return { kind: 'zoned', start: printLocalDateTime(zone.toLocal(startMs)), zone: zone.id, duration };
}
