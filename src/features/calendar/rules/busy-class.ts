import type { Core, Provenance } from '#kernel/event.ts';

/** What an instance means for availability. Only `busy` (and `soft`, when asked) blocks time and is mirrored. */
export type BusyClass = 'busy' | 'soft' | 'free' | 'ignore';

/**
 * The class of one instance; the first row that matches decides. A block that we wrote is ignored, because its origin is
 * counted already. What a provider tells in words we do not know blocks: closed when in doubt.
 */
export function busyClassOf(
  core: Core,
  instance: { allDay: boolean; provenance: Provenance; lengthMs: number },
): BusyClass {
  if (instance.provenance === 'own') return 'ignore';
  if (core.kind === 'working-location' || core.kind === 'birthday') return 'ignore';
  if (core.self === 'declined') return 'ignore';
  if (core.busy === 'free' || core.busy === 'elsewhere') return 'free';
  if (instance.allDay && core.self === 'needs-action') return 'free';
  if (instance.lengthMs <= 0) return 'free';
  return 'busy';
}
