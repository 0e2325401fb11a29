import type { Core } from '#kernel/event.ts';
import type { FeedEvent } from '#kernel/ical/serialise-feed.ts';

/** An instance as the store has it. */
export interface FeedInstance {
  itemId: string;
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: 'busy' | 'soft' | 'free' | 'ignore';
  core: Core | null;
}

/** Signs a UID as ours. */
type Sign = (name: string) => { uid: string; tag: string };

/** Each event as it is, for its owner's own programs; what its owner declined is not there. */
export function eventsOf(instances: readonly FeedInstance[], ownerZone: string, sign: Sign): FeedEvent[] {
  return instances.flatMap(({ core, ...instance }) => {
    if (core === null || instance.class === 'ignore') return [];
    const free = instance.class === 'free' ? 'free' : core.busy;
    return {
      ...sign(`${instance.itemId} ${instance.recId}`),
      when: instance.allDay ? daysOf(instance, ownerZone) : { startMs: instance.startMs, endMs: instance.endMs },
      core: { ...core, busy: free },
    };
  });
}

const busyCore: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Busy' };

/** Time that is taken, and nothing else: what meets or overlaps is one block, so that it does not tell what fills it. */
export function busyOf(instances: readonly FeedInstance[], sign: Sign): FeedEvent[] {
  const blocks: { startMs: number; endMs: number }[] = [];
  const taken = instances.filter((one) => one.class === 'busy' && one.endMs > one.startMs);
  for (const { startMs, endMs } of taken.toSorted((one, other) => one.startMs - other.startMs)) {
    const last = blocks.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else blocks.push({ startMs, endMs });
  }
  return blocks.map((when) => ({ ...sign(`busy ${when.startMs} ${when.endMs}`), when, core: busyCore }));
}

function daysOf({ startMs, endMs }: { startMs: number; endMs: number }, zone: string): { start: string; end: string } {
  const day = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  return { start: day(startMs).toString(), end: day(endMs).toString() };
}
