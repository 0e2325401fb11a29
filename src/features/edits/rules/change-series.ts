import type { Core, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import {
  applyPatch,
  type Changes,
  type CorePatch,
  type EditedField,
  editedFields,
  isSameField,
  narrow,
  patchOf,
} from './event-fields.ts';
import { inNamedZone, inputOf, localSpanOf, touchedOf, type WhenInput, whenOf } from './event-time.ts';
import { moveSeries } from './move-series.ts';
import { readRecurrence } from './read-recurrence.ts';
import { EditRefused } from './refusal.ts';
import { hasStart } from './series-starts.ts';
import { moveRecId } from './shift-rule.ts';
import { dayOf, isSameWhen, slotOf, startingAt, startOf, timeOfDay, withLength } from './wall-time.ts';

/**
 * A whole series after a change that was made at one of its instances (`shown`, under `recId`): all move as that one
 * does. *Errors*: EditRefused.
 */
export function changeSeries(
  series: Series,
  recId: RecId | '',
  shown: { when: When; core: Core },
  changes: Changes,
  calendarZone: string,
): Series {
  const rule =
    changes.recurrence == null || isSameRule(series, changes.recurrence, calendarZone) ? null : changes.recurrence;
  const touched = changes.when === undefined ? null : touchedOf(inputOf(shown.when, calendarZone), changes.when);
  const isTimed = touched !== null && (touched.start || touched.length);
  const to =
    changes.when !== undefined && isTimed
      ? changeStart(series, recId, touched, changes.when, calendarZone)
      : series.when;
  let moved = series;
  if (rule !== null) {
    const read = readRecurrence(rule, to, calendarZone);
    moved = keepMatching(moveSeries(series, read.when, [read.rule]));
  } else if (!isSameWhen(to, series.when)) {
    moved = moveSeries(series, to);
  }
  const edited = recId === '' ? null : moveRecId(series.when, moved.when, recId);
  return bounded(patchAll(moved, isTimed, edited, narrow(patchOf(changes), shown.core)));
}

/** When the series begins after one of its instances was given another time. */
function changeStart(
  series: Series,
  recId: RecId | '',
  touched: { start: boolean; length: boolean },
  input: WhenInput,
  calendarZone: string,
): When {
  const slot = recId === '' ? series.when : (slotOf(series, recId) ?? series.when);
  const wanted = whenOf(input, series.when.kind === 'floating' ? calendarZone : null);
  const span = localSpanOf(input);
  const sameKind = wanted.kind === series.when.kind || (wanted.kind !== 'all-day' && series.when.kind !== 'all-day');
  let to: When;
  if (!touched.start && sameKind) to = series.when;
  else {
    const slotMs = startOf(inNamedZone(slot, calendarZone));
    const firstMs = startOf(inNamedZone(series.when, calendarZone));
    const localMs = sameKind
      ? firstMs + span.startMs - slotMs
      : dayOf(firstMs) + dayOf(span.startMs) - dayOf(slotMs) + timeOfDay(span.startMs);
    to = startingAt(wanted, localMs);
  }
  if (!touched.length && sameKind) return withLength(to, series.when);
  // as long on the wall clock as this one is, whatever the clocks do that day
  if (to.kind === 'all-day') return withLength(to, wanted);
  return { ...to, duration: { seconds: (span.endMs - span.startMs) / 1_000 } };
}

export function isSameRule(series: Series, text: string, calendarZone: string): boolean {
  const [only] = series.rules;
  if (only === undefined || series.rules.length > 1) return false;
  try {
    return (
      readRecurrence(text, series.when, calendarZone).rule === readRecurrence(only, series.when, calendarZone).rule
    );
  } catch (error) {
    if (error instanceof EditRefused) return false;
    throw error;
  }
}

/** Drops instances that the new rule no longer makes, changed or not. */
function keepMatching(series: Series): Series {
  const { when, rules, extraDates } = series;
  const isMade = (recId: RecId) => hasStart({ when, rules, extraDates }, recId);
  return {
    ...series,
    exRules: [],
    exdates: series.exdates.filter(isMade),
    overrides: Object.fromEntries(Object.entries(series.overrides).filter(([recId]) => isMade(recId))),
  };
}

/** Every instance follows in what it shares with its series; the one that the person had before them follows in all. */
function patchAll(series: Series, isTimed: boolean, edited: RecId | null, patch: CorePatch): Series {
  const overrides: Series['overrides'] = {};
  for (const [recId, { when, core }] of Object.entries(series.overrides)) {
    const shared: CorePatch = {};
    for (const field of editedFields) {
      if (field in patch && (recId === edited || isSameField(field, core[field], series.core[field])))
        (shared as Record<EditedField, unknown>)[field] = patch[field];
    }
    const place = recId === edited && isTimed ? (slotOf(series, recId) ?? when) : when;
    overrides[recId] = { when: place, core: applyPatch(core, shared) };
  }
  return { ...series, core: applyPatch(series.core, patch), overrides };
}

/** *Errors*: EditRefused where a series has more exceptions than anybody can mean. */
export function bounded(series: Series): Series {
  if (series.exdates.length > eventLimits.exdates || Object.keys(series.overrides).length > eventLimits.overrides)
    throw new EditRefused('BAD_RECURRENCE', 'This series has too many changed events already. Part it, or change all.');
  return series;
}
