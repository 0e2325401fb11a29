import type { Core } from '#kernel/event.ts';
import type { FeedEvent } from '#kernel/ical/serialise-feed.ts';
import { listedNotes } from './listed-notes.ts';

/** An instance as the store has it. */
export interface FeedTime {
  itemId: string;
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: 'busy' | 'soft' | 'free' | 'ignore';
}

export interface FeedInstance extends FeedTime {
  core: Core | null;
}

/** Signs a UID as ours. */
type Sign = (name: string) => { uid: string; tag: string };

/**
 * Each event as it is, for its owner's own programs, made as it is asked for; what its owner declined is not there. Long
 * descriptions are cut as in a list.
 */
export function* eventsOf(instances: readonly FeedInstance[], ownerZone: string, sign: Sign): Generator<FeedEvent> {
  for (const { core, ...instance } of instances) {
    if (core === null || instance.class === 'ignore') continue;
    const busy = instance.class === 'free' ? 'free' : core.busy;
    const { notes, ...rest } = core;
    yield {
      ...sign(`${instance.itemId} ${instance.recId}`),
      when: instance.allDay ? daysOf(instance, ownerZone) : { startMs: instance.startMs, endMs: instance.endMs },
      core: { ...rest, ...(notes === undefined ? {} : { notes: listedNotes(notes) }), busy },
    };
  }
}

const busyCore: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Busy' };

/** Time that is taken, and nothing else: what meets or overlaps is one block, so that it does not tell what fills it. */
export function* busyOf(instances: readonly FeedTime[], sign: Sign): Generator<FeedEvent> {
  const blocks: { startMs: number; endMs: number }[] = [];
  const taken = instances.filter((one) => one.class === 'busy' && one.endMs > one.startMs);
  for (const { startMs, endMs } of taken.toSorted((one, other) => one.startMs - other.startMs)) {
    const last = blocks.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else blocks.push({ startMs, endMs });
  }
  for (const when of blocks) yield { ...sign(`busy ${when.startMs} ${when.endMs}`), when, core: busyCore };
}

function daysOf({ startMs, endMs }: { startMs: number; endMs: number }, zone: string): { start: string; end: string } {
  const day = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  return { start: day(startMs).toString(), end: day(endMs).toString() };
}
