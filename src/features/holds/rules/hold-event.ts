import type { Core, Single } from '#kernel/event.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';

/** The event of a hold; whatever its person made of it in their calendar stays as it is, but for the time. */
export function holdEvent(title: string, at: Span, ownerZone: string, standing: Core | null): Single {
  const zone = loadZone(ownerZone) ?? loadZone('UTC');
  if (zone === null) throw new RangeError('There is no UTC.');
  return {
    kind: 'single',
    when: {
      kind: 'zoned',
      start: printLocalDateTime(zone.toLocal(at.startMs)),
      zone: zone.id,
      duration: { seconds: (at.endMs - at.startMs) / 1_000 },
    },
    core: { ...(standing ?? { busy: 'busy', private: false, self: 'none', kind: 'default' }), title },
  };
}
