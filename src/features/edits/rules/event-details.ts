import type * as z from 'zod/mini';
import type { EventBody, RecId, Series } from '#kernel/event.ts';
import { changedInstance } from '#kernel/recurrence/split-series.ts';
import type { detailsShape } from '../contract.ts';
import { instanceOf, type Scope } from './change-event.ts';
import { fieldsOf } from './event-fields.ts';
import { inputOf } from './event-time.ts';
import { EditRefused } from './refusal.ts';
import { splitSeries } from './split-series.ts';
import { recIdAt, startOf } from './wall-time.ts';

export type Details = z.output<typeof detailsShape>;

/** Details that follow from an event's body alone. */
export type BodyDetails = Omit<
  Details,
  'event_id' | 'item_id' | 'calendar_id' | 'version' | 'editable' | 'not_editable_reason' | 'open_url'
>;

/**
 * One instance as the editor shows it; of a series without an instance of that name, the first that the series has. Null
 * for what cannot be read.
 */
export function detailsOf(body: EventBody, recId: RecId | '', calendarZone: string): BodyDetails | null {
  if (body.kind === 'withheld') return null;
  if (body.kind === 'instances') {
    const one = body.list[recId];
    return one === undefined
      ? null
      : { ...fieldsOf(one.core), when: inputOf(one.when, calendarZone), recurrence: null, series: null };
  }
  if (body.kind === 'single')
    return { ...fieldsOf(body.core), when: inputOf(body.when, calendarZone), recurrence: null, series: null };
  if (body.kind === 'split') {
    const changed = body.series.overrides[recId] ?? changedInstance(body, recId);
    const { when, core } = changed === null || changed === 'gone' ? instanceAt(body.series, recId) : changed;
    return { ...fieldsOf(core), when: inputOf(when, calendarZone), recurrence: null, series: null };
  }
  const [rule] = body.rules;
  const { when, core } = instanceAt(body, recId);
  const complex = body.rules.length !== 1;
  return {
    ...fieldsOf(core),
    when: inputOf(when, calendarZone),
    recurrence: complex ? null : (rule ?? null),
    series: { starts: inputOf(body.when, calendarZone).start, scopes: scopesOf(body, recId), complex },
  };
}

function instanceAt(series: Series, recId: RecId | '') {
  try {
    return instanceOf(series, recId === '' ? recIdAt(series.when, startOf(series.when)) : recId);
  } catch (error) {
    if (error instanceof EditRefused) return series;
    throw error;
  }
}

function scopesOf(series: Series, recId: RecId | ''): Scope[] {
  if (recId === '') return ['all'];
  try {
    return splitSeries(series, recId) === null ? ['this', 'all'] : ['this', 'following', 'all'];
  } catch (error) {
    if (error instanceof EditRefused) return ['this', 'all'];
    throw error;
  }
}
