import type { Rank } from '#features/availability/rules/hold-rules.ts';
import type { Core, Provenance } from '#kernel/event.ts';
import type { busyReasons } from '../contract.ts';

/** An instance's effect on availability. Only `busy` (and `soft`, when asked) blocks time and is mirrored. */
export type BusyClass = 'busy' | 'soft' | 'free' | 'ignore';

/** The reasons for a busy class, and the class that each gives. */
const classes = {
  'calendar-left-out': 'ignore',
  'own-block': 'ignore',
  'working-location': 'ignore',
  birthday: 'ignore',
  declined: 'ignore',
  'shown-free': 'free',
  elsewhere: 'free',
  'all-day-unanswered': 'free',
  'no-length': 'free',
  hold: 'soft',
  'out-of-office': 'busy',
  focus: 'busy',
  tentative: 'busy',
  unanswered: 'busy',
  unknown: 'busy',
  busy: 'busy',
} as const satisfies Record<(typeof busyReasons)[number], BusyClass>;

export type BusyReason = keyof typeof classes;

interface Instance {
  allDay: boolean;
  provenance: Provenance;
  lengthMs: number;
  /** By the rules of its person; null where none makes it a hold. */
  holdRank: Rank | null;
}

/**
 * Returns why one instance blocks time or does not; the first matching row decides. Our own blocks are ignored, because
 * their origins count already. An unknown status blocks.
 */
export function busyReasonOf(core: Core, instance: Instance): BusyReason {
  if (instance.provenance === 'own') return 'own-block';
  if (core.kind === 'working-location' || core.kind === 'birthday') return core.kind;
  if (core.self === 'declined') return 'declined';
  if (core.busy === 'free') return 'shown-free';
  if (core.busy === 'elsewhere') return 'elsewhere';
  if (instance.allDay && core.self === 'needs-action') return 'all-day-unanswered';
  if (instance.lengthMs <= 0) return 'no-length';
  if (instance.holdRank !== null) return 'hold';
  if (core.kind === 'out-of-office' || core.busy === 'oof') return 'out-of-office';
  if (core.kind === 'focus') return 'focus';
  if (core.busy === 'tentative' || core.self === 'tentative') return 'tentative';
  if (core.self === 'needs-action') return 'unanswered';
  return core.busy === 'unknown' ? 'unknown' : 'busy';
}

/** The class of one instance. */
export function busyClassOf(core: Core, instance: Instance): BusyClass {
  return classes[busyReasonOf(core, instance)];
}

/** How important what takes this time is: 1 for all that is busy, its own rank for a hold. */
export function rankOf(busyClass: BusyClass, holdRank: Rank | null): Rank {
  return busyClass === 'soft' ? (holdRank ?? 1) : 1;
}
