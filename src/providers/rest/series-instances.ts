import type { RecId, Series } from '#kernel/event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { utc } from '#kernel/time/zones.ts';

/** Single instances of a series, where a provider keeps each as an event of its own. */

export type Instance = Pick<Series, 'when' | 'core'>;

/** Whether a RecId names an instance of the rules. */
export function occurrenceTest(series: Series): (recId: RecId) => boolean {
  const zone = series.when.kind === 'zoned' ? series.when.zone : null;
  const open = openSeries({ ...series, start: series.when.start, zone, exdates: [] });
  return (recId) => {
    const at = parseRecId(recId);
    return at !== null && open.between(at.ms, at.ms + 1).startsMs.length > 0;
  };
}

/** An instance as the series alone has it. */
export function plainInstance({ when, core }: Series, recId: RecId): Instance {
  const ms = parseRecId(recId)?.ms ?? 0;
  if (when.kind === 'all-day') {
    const days = Temporal.PlainDate.from(when.start).until(when.end).total('days');
    const start = Temporal.PlainDate.from(printLocalDateTime(ms).slice(0, 10));
    return { when: { kind: 'all-day', start: start.toString(), end: start.add({ days }).toString() }, core };
  }
  const zone = when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : utc;
  return { when: { ...when, start: printLocalDateTime(zone.toLocal(ms)) }, core };
}

/** One instance: how it stands (null: cancelled, or none of the series) and how it shall stand. */
export interface Step {
  recId: RecId;
  have: Instance | null;
  want: Instance | null;
}

/**
 * Plans the remaining changes of single instances once the master is up to date. The plan starts from the current
 * state: a new master may keep its exceptions, or leave those of another time. `isSame`: equality at the provider.
 */
export function planInstances(now: Series, after: Series, isSame: (have: Instance, want: Instance) => boolean): Step[] {
  const occurs = occurrenceTest(after);
  const at = ({ overrides, exdates }: Series, of: Series, recId: RecId): Instance | null => {
    const override = overrides[recId];
    if (override !== undefined) return override;
    return exdates.includes(recId) || !occurs(recId) ? null : plainInstance(of, recId);
  };
  const named = [now.overrides, after.overrides].flatMap((overrides) => Object.keys(overrides));
  const steps: Step[] = [];
  for (const recId of [...new Set([...named, ...now.exdates, ...after.exdates])].sort()) {
    const have = at(now, now, recId);
    const want = at(after, after, recId);
    const same = have === null || want === null ? have === want : isSame(have, want);
    if (!same) steps.push({ recId, have, want });
  }
  return steps;
}
