import { type Core, eventLimits, type RecId, type Series, type When } from '#kernel/event.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Until } from '#kernel/recurrence/rule.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
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
import {
  dayOf,
  floatingLength,
  frameMsOf,
  inNamedZone,
  inputOf,
  isSameStart,
  isSameWhen,
  lengthMsOf,
  localOfRecId,
  localSpanOf,
  slotOf,
  startingAt,
  startOf,
  timeOfDay,
  touchedOf,
  type WhenInput,
  whenOf,
  withLength,
} from './event-time.ts';
import { hasStart, moveLocal, moveRecId, openStarts, readRecurrence, shiftRule } from './recurrence.ts';
import { EditRefused } from './refusal.ts';

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
    moved = keepMatching(moveSeries(series, read.when, [read.rule], calendarZone));
  } else if (!isSameWhen(to, series.when)) {
    moved = moveSeries(series, to, undefined, calendarZone);
  }
  const edited = recId === '' ? null : moveRecId(series.when, moved.when, recId);
  return bounded(patchAll(moved, isTimed ? calendarZone : null, edited, narrow(patchOf(changes), shown.core)));
}

/** When the series begins after one of its instances was given another time. */
function changeStart(
  series: Series,
  recId: RecId | '',
  touched: { start: boolean; length: boolean },
  input: WhenInput,
  calendarZone: string,
): When {
  const slot = recId === '' ? series.when : (slotOf(series, recId, calendarZone) ?? series.when);
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
  if (!touched.length && sameKind) return withLength(to, series.when, calendarZone);
  // as long on the wall clock as this one is, whatever the clocks do that day
  if (to.kind === 'all-day') return withLength(to, wanted);
  const seconds = (span.endMs - span.startMs) / 1_000;
  return { ...to, duration: to.kind === 'floating' ? floatingLength(seconds, startOf(to), calendarZone) : { seconds } };
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
function patchAll(series: Series, timedIn: string | null, edited: RecId | null, patch: CorePatch): Series {
  const overrides: Series['overrides'] = {};
  for (const [recId, { when, core }] of Object.entries(series.overrides)) {
    const shared: CorePatch = {};
    for (const field of editedFields) {
      if (field in patch && (recId === edited || isSameField(field, core[field], series.core[field])))
        (shared as Record<EditedField, unknown>)[field] = patch[field];
    }
    const place = recId === edited && timedIn !== null ? (slotOf(series, recId, timedIn) ?? when) : when;
    overrides[recId] = { when: place, core: applyPatch(core, shared) };
  }
  return { ...series, core: applyPatch(series.core, patch), overrides };
}

/** *Errors*: EditRefused where a series has more exceptions than anybody can mean. */
export function bounded(series: Series): Series {
  if (series.exdates.length > eventLimits.exdates || Object.keys(series.overrides).length > eventLimits.overrides)
    throw new EditRefused(
      'BAD_RECURRENCE',
      'This series has too many changed events. Change this and the following events, or all events.',
    );
  return series;
}

/**
 * A series that begins at another time, in another zone, or for whole days, from its first instance on. Excluded and extra
 * dates move along, and so do changed instances: those that stood where the rule put them, the rest stays where it was
 * moved to. `rules`: those that replace the present ones; absent: the present ones move along too.
 *
 * *Errors*: EditRefused where a rule cannot.
 */
export function moveSeries(series: Series, to: When, rules?: string[], floatingIn: string | null = null): Series {
  const from = series.when;
  const moved: Series = {
    ...series,
    when: to,
    rules: rules ?? (isSameStart(from, to) ? series.rules : series.rules.map((rule) => shiftRule(rule, from, to))),
    exRules: isSameStart(from, to) ? series.exRules : series.exRules.map((rule) => shiftRule(rule, from, to)),
    extraDates: series.extraDates.flatMap(({ start, duration }) => {
      const localMs = parseLocal(start);
      if (localMs === null) return [];
      const movedMs = moveLocal(from, to, localMs);
      if (to.kind === 'all-day') return [{ start: printLocalDate(movedMs) }];
      return [{ start: printLocalDateTime(movedMs), ...(duration === undefined ? {} : { duration }) }];
    }),
    exdates: [...new Set(series.exdates.flatMap((recId) => moveRecId(from, to, recId) ?? []))].sort(),
    overrides: {},
  };
  for (const [recId, override] of Object.entries(series.overrides)) {
    const name = moveRecId(from, to, recId);
    const slot = slotOf(series, recId, floatingIn);
    const place = name === null ? null : slotOf(moved, name, floatingIn);
    if (name === null || slot === null || place === null) continue;
    moved.overrides[name] = { ...override, when: follow(override.when, slot, place, floatingIn) };
  }
  moved.exdates = moved.exdates.filter((recId) => moved.overrides[recId] === undefined);
  return moved;
}

/** Returns the time of a changed instance after the move of its slot: shared parts stay shared. */
function follow(own: When, slot: When, place: When, floatingIn: string | null): When {
  const isAsLong = lengthMsOf(own) === lengthMsOf(slot);
  if (isSameStart(own, slot)) return isAsLong ? place : withLength(place, own);
  const kept = slot.kind === place.kind ? own : toKind(own, slot, place);
  return isAsLong ? withLength(kept, place, floatingIn) : kept;
}

/** An instance that was moved keeps its day when its series becomes one of whole days or of times, and floats with it. */
function toKind(own: When, slot: When, place: When): When {
  if (own.kind === place.kind) return own;
  if (slot.kind !== 'all-day' && place.kind !== 'all-day') return own;
  const dayShift = Math.round((startOf(own) - startOf(slot)) / dayMs) * dayMs;
  const day = startOf(place) - timeOfDay(startOf(place)) + dayShift;
  return startingAt(place, day + timeOfDay(startOf(place)));
}

/**
 * Splits a series at an instance into the part before, and a series that continues from there. Together they have every
 * instance of the whole, each once. Null if nothing comes before. *Errors*: EditRefused BAD_RECURRENCE.
 */
export function splitSeries(series: Series, at: RecId): { rest: Series; tail: Series } | null {
  const { when } = series;
  const localMs = localOfRecId(when, at);
  if (localMs === null) throw new EditRefused('BAD_RECURRENCE', "This date isn't part of the series.");
  const atMs = frameMsOf(when, localMs);
  const isBefore = (recId: RecId) => frameMsOf(when, localOfRecId(when, recId) ?? 0) < atMs;
  const extraBefore = (start: string) => frameMsOf(when, parseLocal(start) ?? 0) < atMs;

  const [text] = series.rules;
  if (series.exRules.length > 0 || series.rules.length > 1 || text === undefined) throw cannotSplit();
  const parsed = parseRule(text);
  if (!parsed.ok) throw cannotSplit();
  const plain = openStarts({ when, rules: [text] });
  // an instance that the rule does not make has no place in it from which it could go on
  if (plain.between(atMs, atMs + 1).startsMs.length === 0) throw cannotSplit();
  const before = plain.between(plain.firstMs(), atMs);
  const hasExtras = series.extraDates.some(({ start }) => extraBefore(start));
  if (before.startsMs.length === 0 && !before.tooDense && !hasExtras) return null;
  if (parsed.rule.count !== null && before.tooDense) throw cannotSplit();

  const counted = before.startsMs.length;
  const { rule } = parsed;
  const restRule = rule.count === null ? { ...rule, until: untilBefore(when.kind, atMs) } : { ...rule, count: counted };
  const tailRule = rule.count === null ? rule : { ...rule, count: rule.count - counted };
  const overrides = Object.entries(series.overrides);
  return {
    rest: {
      ...series,
      rules: [formatRule(restRule)],
      extraDates: series.extraDates.filter(({ start }) => extraBefore(start)),
      exdates: series.exdates.filter(isBefore),
      overrides: Object.fromEntries(overrides.filter(([recId]) => isBefore(recId))),
    },
    tail: {
      ...series,
      when: startingAt(when, localMs),
      rules: [formatRule(tailRule)],
      extraDates: series.extraDates.filter(({ start }) => !extraBefore(start)),
      exdates: series.exdates.filter((recId) => !isBefore(recId)),
      overrides: Object.fromEntries(overrides.filter(([recId]) => !isBefore(recId))),
    },
  };
}

const cannotSplit = () =>
  new EditRefused('BAD_RECURRENCE', "This series can't be split here. Change only this event, or all events.");

function untilBefore(kind: Series['when']['kind'], atMs: number): Until {
  if (kind === 'all-day') return { form: 'date', ms: atMs - dayMs };
  return { form: kind === 'zoned' ? 'utc' : 'local', ms: atMs - secondMs };
}
