import type * as z from 'zod/mini';
import type { Core, EventBody, RecId, Series, Single, When } from '#kernel/event.ts';
import { changedInstance } from '#kernel/recurrence/split-series.ts';
import type { detailsShape } from '../contract.ts';
import { applyPatch, type Changes, fieldsOf, narrow, patchOf } from './event-fields.ts';
import { inputOf, isSameWhen, recIdAt, slotOf, startOf, touchedOf, type WhenInput, whenOf } from './event-time.ts';
import { hasStart, openStarts, readRecurrence } from './recurrence.ts';
import { EditRefused } from './refusal.ts';
import { bounded, changeSeries, isSameRule, splitSeries } from './series.ts';

export type EditableBody = Single | Series;
export type Scope = 'this' | 'following' | 'all';

/** The items after a change: `rest` replaces the item (null: it is deleted), `made` is a new one beside it. */
interface Outcome {
  rest: EditableBody | null;
  made: EditableBody | null;
}

/** A new event. *Errors*: EditRefused. */
export function newEvent(input: Omit<Changes, 'when'>, when: When, calendarZone: string): EditableBody {
  const empty: Core = { busy: 'busy', private: false, self: 'none', kind: 'default' };
  const single: Single = { kind: 'single', when, core: applyPatch(empty, patchOf(input)) };
  return input.recurrence == null ? single : repeat(single, input.recurrence, calendarZone);
}

/**
 * Applies a person's change to an event. `recId` names the instance that they saw, empty for a single event; changed
 * times apply to that instance. `leaves`: the changed part moves to another calendar.
 *
 * *Errors*: EditRefused for an impossible change, e.g. a split of a series with several rules.
 */
export function changeEvent(
  body: EditableBody,
  recId: RecId | '',
  edit: { scope: Scope; changes: Changes; leaves: boolean },
  calendarZone: string,
): Outcome {
  const { changes, leaves } = edit;
  const stay = (after: EditableBody): Outcome => (leaves ? { rest: null, made: after } : { rest: after, made: null });
  if (body.kind === 'single') return stay(changeSingle(body, changes, calendarZone));
  const instance = instanceOf(body, recId, calendarZone);
  // a series that no longer repeats is the one event that its person had before them
  const change = (series: Series): EditableBody =>
    changes.recurrence === null && series.rules.length > 0
      ? changeSingle({ kind: 'single', ...instance }, { ...changes, recurrence: null }, calendarZone)
      : changeSeries(series, recId, instance, changes, calendarZone);
  if (edit.scope === 'all') return stay(change(body));
  if (edit.scope === 'following') {
    const parts = splitSeries(body, recId);
    return parts === null ? stay(change(body)) : { rest: parts.rest, made: change(parts.tail) };
  }
  if (
    changes.recurrence !== undefined &&
    changes.recurrence !== null &&
    !isSameRule(body, changes.recurrence, calendarZone)
  )
    throw new EditRefused(
      'BAD_RECURRENCE',
      'To change how an event repeats, choose all events, or this and the following.',
    );
  const changed: Single = {
    kind: 'single',
    when: changeWhen(instance.when, changes.when, calendarZone),
    core: applyPatch(instance.core, narrow(patchOf(changes), instance.core)),
  };
  if (leaves) return { rest: withoutInstance(body, recId), made: changed };
  const { [recId]: _before, ...others } = body.overrides;
  const slot = slotOf(body, recId, calendarZone);
  const isPlain = slot !== null && isSameWhen(slot, changed.when) && isSameCore(changed.core, body.core);
  const overrides = isPlain ? others : { ...others, [recId]: { when: changed.when, core: changed.core } };
  return { rest: bounded({ ...body, overrides }), made: null };
}

/** The rest of an event after a deletion; null: nothing. *Errors*: EditRefused. */
export function deleteEvent(body: EditableBody, recId: RecId | '', scope: Scope): EditableBody | null {
  if (body.kind === 'single' || scope === 'all') return null;
  if (scope === 'this') {
    instanceOf(body, recId);
    return withoutInstance(body, recId);
  }
  return splitSeries(body, recId)?.rest ?? null;
}

/** An instance as it stands; `when` in its own zone. *Errors*: EditRefused where the series has none of that name. */
export function instanceOf(
  series: Series,
  recId: RecId | '',
  floatingIn: string | null = null,
): { when: When; core: Core } {
  const own = series.overrides[recId];
  if (own !== undefined) return own;
  const slot = recId !== '' && hasStart(series, recId) ? slotOf(series, recId, floatingIn) : null;
  if (slot === null) throw new EditRefused('BAD_TIME', "This date isn't part of the series.");
  return { when: slot, core: series.core };
}

function withoutInstance(series: Series, recId: RecId): Series | null {
  const { [recId]: _gone, ...overrides } = series.overrides;
  const rest = bounded({ ...series, overrides, exdates: [...new Set([...series.exdates, recId])].sort() });
  return isEmpty(rest) ? null : rest;
}

/** No instance is left; an endless series is never asked for more than its first. */
function isEmpty(series: Series): boolean {
  if (Object.keys(series.overrides).length > 0) return false;
  return openStarts(series).first() === null;
}

function changeSingle(body: Single, changes: Changes, calendarZone: string): EditableBody {
  const single: Single = {
    kind: 'single',
    when: changeWhen(body.when, changes.when, calendarZone),
    core: applyPatch(body.core, narrow(patchOf(changes), body.core)),
  };
  return changes.recurrence == null ? single : repeat(single, changes.recurrence, calendarZone);
}

/** The time of one instance; what was only shown and sent back stays as its calendar has it, to the second. */
function changeWhen(when: When, input: WhenInput | undefined, calendarZone: string): When {
  if (input === undefined) return when;
  const touched = touchedOf(inputOf(when, calendarZone), input);
  if (!touched.start && !touched.length) return when;
  return whenOf(input, when.kind === 'floating' ? calendarZone : null);
}

function repeat(single: Single, rule: string, calendarZone: string): Series {
  const read = readRecurrence(rule, single.when, calendarZone);
  return {
    kind: 'series',
    when: read.when,
    core: single.core,
    rules: [read.rule],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: {},
  };
}

const isSameCore = (one: Core, other: Core) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (core: Core) => Object.fromEntries(Object.entries(core).sort(([a], [b]) => (a < b ? -1 : 1)));

export type Details = z.output<typeof detailsShape>;

/** Details that follow from an event's body alone. */
type BodyDetails = Omit<
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
    const { when, core } =
      changed === null || changed === 'gone' ? instanceAt(body.series, recId, calendarZone) : changed;
    return { ...fieldsOf(core), when: inputOf(when, calendarZone), recurrence: null, series: null };
  }
  const [rule] = body.rules;
  const { when, core } = instanceAt(body, recId, calendarZone);
  const complex = body.rules.length !== 1;
  return {
    ...fieldsOf(core),
    when: inputOf(when, calendarZone),
    recurrence: complex ? null : (rule ?? null),
    series: { starts: inputOf(body.when, calendarZone).start, scopes: scopesOf(body, recId), complex },
  };
}

function instanceAt(series: Series, recId: RecId | '', floatingIn: string) {
  try {
    return instanceOf(series, recId === '' ? recIdAt(series.when, startOf(series.when)) : recId, floatingIn);
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
