import { hourMs, minuteMs } from '#kernel/time/civil.ts';

/** Zones of today's half and quarter hours that know no summer time. */
const oddOffsets = new Map<number, string>(
  (
    [
      [-570, 'Pacific/Marquesas'],
      [210, 'Asia/Tehran'],
      [270, 'Asia/Kabul'],
      [330, 'Asia/Kolkata'],
      [345, 'Asia/Kathmandu'],
      [390, 'Asia/Yangon'],
      [525, 'Australia/Eucla'],
      [570, 'Australia/Darwin'],
    ] as const
  ).map(([minutes, zone]) => [minutes * minuteMs, zone]),
);

/** The IANA zone that keeps this offset all year round, or null. In `Etc/GMT-5` the sign is turned: it is UTC+5. */
export function fixedOffsetZone(offsetMs: number): string | null {
  if (offsetMs === 0) return 'UTC';
  const hours = offsetMs / hourMs;
  if (Number.isInteger(hours) && hours >= -12 && hours <= 14)
    return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  return oddOffsets.get(offsetMs) ?? null;
}
