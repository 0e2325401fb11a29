import type { RecId, Series } from '#kernel/event.ts';
import { type OpenSeries, openSeries, type SeriesOptions } from '#kernel/recurrence/open-series.ts';
import { frameMsOf, localOfRecId, zoneOf } from './wall-time.ts';

type Starts = Pick<Series, 'when' | 'rules'> & Partial<Pick<Series, 'exRules' | 'extraDates' | 'exdates'>>;

/** A series opened for questions about when its instances begin; what is not given has none. */
export function openStarts(series: Starts, options?: SeriesOptions): OpenSeries {
  const { when, rules, exRules = [], extraDates = [], exdates = [] } = series;
  const zone = when.kind === 'zoned' ? zoneOf(when).id : null;
  return openSeries({ start: when.start, zone, rules, exRules, extraDates, exdates }, options);
}

/** Whether a series has an instance of this name, overrides not looked at. */
export function hasStart(series: Starts, recId: RecId): boolean {
  const localMs = localOfRecId(series.when, recId);
  if (localMs === null) return false;
  const atMs = frameMsOf(series.when, localMs);
  return openStarts(series).between(atMs, atMs + 1).startsMs.length > 0;
}
