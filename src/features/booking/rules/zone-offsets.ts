import { minuteMs } from '#kernel/time/civil.ts';
import type { ZoneOffsets } from './visit-data.ts';

/** The offsets of a zone between two epoch minutes. */
export function listOffsets(zone: string, { from, to }: { from: number; to: number }): ZoneOffsets {
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from * minuteMs).toZonedDateTimeISO(
    zone,
  );
  const changes: ZoneOffsets['changes'] = [];
  while (at !== null && at.epochMilliseconds <= to * minuteMs) {
    changes.push({ from: at.epochMilliseconds / minuteMs, ahead: at.offsetNanoseconds / 60_000_000_000 });
    at = at.getTimeZoneTransition('next');
  }
  return { zone, from, to, changes };
}
