import { parseWarning, type ReadingWarning } from '#kernel/ical/reading-warning.ts';
import { loadZone } from '#kernel/time/zones.ts';
import { tooDense } from './span-room.ts';

/** How the problem of an item begins that cannot be read any more, and is kept as it was read last. */
export const kept = 'kept as it was read before: ';

/** How the problem of an item begins of which only some times can be read, and none was known before. */
export const partly = 'read in part: ';

/** The warnings in the problem of an item. */
export function warningsIn(problem: string): string[] {
  const start = [kept, partly].find((one) => problem.startsWith(one)) ?? '';
  return problem.slice(start.length).split('\n');
}

/** Whether times of the event are unknown. */
export const isInPart = (problem: string | null) =>
  problem?.startsWith(partly) === true || problem?.startsWith(kept) === true;

/** A stored warning of any adapter, with a fixed offset as people write it. */
export function readingWarning(text: string): ReadingWarning {
  if (text === tooDense) return { code: 'too-dense', values: {} };
  const { code, values } = parseWarning(text);
  if (code !== 'zone-taken-for-offset') return { code, values };
  return { code, values: { ...values, used: offsetName(String(values.used)) } };
}

/** A zone that could not be resolved, among the warnings of an event: it may be hours off. `used` is null for its calendar's. */
export function unresolvedZone(texts: readonly string[]): { name: string; used: string | null } | null {
  for (const text of texts) {
    const { code, values } = readingWarning(text);
    if (code === 'zone-unknown') return { name: String(values.zone), used: null };
    if (code === 'zone-taken-for-offset') return { name: String(values.zone), used: String(values.used) };
  }
  return null;
}

/** `Etc/GMT-2` as `UTC+2`. */
function offsetName(zone: string): string {
  const minutes = Math.round((loadZone(zone)?.offsetAt(0) ?? 0) / 60_000);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
