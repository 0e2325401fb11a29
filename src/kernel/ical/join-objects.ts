import { type Core, type EventBody, eventLimits, masterOf, type RecId, type When } from '#kernel/event.ts';
import { exactDuration, wallDuration } from '#kernel/ical/date-value.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { firstRecId } from '#kernel/ical/series-frame.ts';
import { boundsOf, type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { isExact, usualMs } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { utc } from '#kernel/time/zones.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';

type Instance = { when: When; core: Core };

const limits = { instances: eventLimits.overrides, steps: 10_000 };

/**
 * Joins events of several UIDs that a server keeps as one object, which RFC 4791 4.1 forbids. The result has all
 * instances and is read-only. A series without an end keeps only its first instance, and so does each event when there
 * are too many. The object is then not whole. *Errors*: WorkLimitError past the budget.
 */
export function joinBodies(
  of: string,
  bodies: EventBody[],
  budget: WorkBudget | undefined,
): { body: EventBody; isWhole: boolean } {
  let isWhole = true;
  const all = bodies.flatMap((body) => {
    const instances = instancesOf(body, budget);
    isWhole &&= instances !== null;
    return instances ?? firstOf(body);
  });
  const fits = all.length <= eventLimits.overrides;
  isWhole &&= fits;
  const list: Record<RecId, Instance> = {};
  for (const [recId, instance] of fits ? all : bodies.flatMap(firstOf)) {
    const other = list[recId];
    if (other === undefined || takes(other) < takes(instance)) list[recId] = instance;
  }
  if (!isWhole && Object.keys(list).length === 0) {
    return { body: { kind: 'withheld', reason: warning('several-uids-unreadable', {}) }, isWhole };
  }
  return { body: { kind: 'instances', of, from: -8.64e15, to: 8.64e15, list }, isWhole };
}

function firstOf(body: EventBody): [RecId, Instance][] {
  if (body.kind === 'instances') return Object.entries(body.list).slice(0, 1);
  const master = masterOf(body);
  return master === null ? [] : [instanceOf(master)];
}

const instanceOf = ({ when, core }: Instance): [RecId, Instance] => [firstRecId(when), { when, core }];

/** The longer one of two events with one start counts. */
function takes({ when, core }: Instance): number {
  if (core.busy === 'free') return -1;
  if (when.kind === 'all-day') return Number.POSITIVE_INFINITY;
  return usualMs(when.duration);
}

function instancesOf(body: EventBody, budget: WorkBudget | undefined): [RecId, Instance][] | null {
  if (body.kind === 'withheld') return null;
  if (body.kind === 'instances') return Object.entries(body.list);
  if (body.kind === 'single') return [instanceOf(body)];
  const master = body.kind === 'split' ? body.series : body;
  const bounds = boundsOf(body, 'UTC', 'UTC', budget);
  if (bounds?.endMs == null) return null;
  const window = { fromMs: bounds.startMs - 1, toMs: bounds.endMs + 1 };
  const { list, tooDense } = occurrencesOf(body, 'UTC', 'UTC', window, limits, budget);
  if (tooDense) return null;
  return list.map((one) => [one.recId as RecId, { when: one.when ?? whenOf(one, master), core: one.core }]);
}

/** When an instance of a series is. Days and floating times were read in UTC. */
function whenOf({ startMs, endMs }: Occurrence, { when }: { when: When }): When {
  if (when.kind === 'all-day') return { kind: 'all-day', start: printLocalDate(startMs), end: printLocalDate(endMs) };
  const duration = exactDuration(startMs, endMs);
  if (when.kind === 'floating') {
    const isOnClock = !isExact(when.duration);
    const own = isOnClock ? wallDuration(startMs, endMs) : duration;
    return { kind: 'floating', start: printLocalDateTime(startMs), duration: own };
  }
  const zone = loadEventZone(when.zone) ?? utc;
  return { kind: 'zoned', start: printLocalDateTime(zone.toLocal(startMs)), zone: zone.id, duration };
}
