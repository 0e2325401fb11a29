import type { Core, RecId, Series, When } from '#kernel/event.ts';
import { canonicalJson } from '#kernel/event-hash.ts';
import type { OpenSeries } from '#kernel/recurrence/open-series.ts';
import type { EditableBody } from './event.ts';
import { type EditedField, editedFields, isSameField } from './event-fields.ts';
import {
  isSameLength,
  isSameStart,
  lengthMsOf,
  slotOf,
  startingAt,
  startOf,
  withLength,
  zoneOf,
} from './event-time.ts';
import { hasStart, openStarts } from './recurrence.ts';
import { EditRefused } from './refusal.ts';
import { moveSeries } from './series.ts';
import type { Step } from './steps.ts';

/** Where an edit and somebody else's met, in words of the model: `start`, `length`, `recurrence`, a field, an instance. */
export type Merged = { kind: 'done' } | { kind: 'write'; after: EditableBody } | { kind: 'conflict'; parts: string[] };

/**
 * An edit on what stands now. Part by part: what the edit does not touch stays as it is now; what is as the edit wants it
 * is done; what is as the edit found it is written; anything else somebody else has changed meanwhile, and nothing of the
 * edit is written. Where nothing else was changed, what is written is what the edit wanted.
 */
export function mergeEdit(before: EditableBody, after: EditableBody, current: EditableBody): Merged {
  const { parts, merged } = merge(before, after, current);
  if (parts.length > 0) return { kind: 'conflict', parts };
  return canonicalJson(merged) === canonicalJson(current) ? { kind: 'done' } : { kind: 'write', after: merged };
}

/** An edit over what somebody else made of the event meanwhile: theirs stays only where the edit touches nothing. */
function imposeEdit(before: EditableBody, after: EditableBody, current: EditableBody): EditableBody {
  return merge(before, after, current).merged;
}

/** The event after the edit, and the fields in which it would overwrite another's change. */
function merge(
  before: EditableBody,
  after: EditableBody,
  current: EditableBody,
): { merged: EditableBody; parts: string[] } {
  const lined = lineUp(before, after, current);
  if (lined === null) return { merged: after, parts: ['start'] };
  const { b, c } = lined;
  const parts: string[] = [];
  const take: Take = (name, was, wanted, is, same, told = same) => {
    if (same(was, wanted) || same(is, wanted)) return is;
    if (told(is, was)) return wanted;
    if (told(is, wanted)) return is;
    parts.push(name);
    return wanted;
  };

  const told = current.kind === 'single' ? isSameMoment : isSameClock;
  const start = take('start', before.when, after.when, current.when, isSameStart, told);
  const length = take('length', b.when, after.when, c.when, isSameLength);
  const rules = take('recurrence', rulesOf(b), rulesOf(after), rulesOf(c), isSameRules(after.when));
  const core = takeCore('', b.core, after.core, c.core, take);
  const when = withLength(isSameStart(start, after.when) ? startOn(c.when, after.when) : c.when, length);
  let merged: EditableBody;
  if (rules === null) merged = { kind: 'single', when, core };
  else {
    const instances = takeInstances(b, after, c, take);
    merged = { kind: 'series', when, core, ...rules, ...instances };
  }
  return { merged, parts: [...new Set(parts)] };
}

type Same<T> = (one: T, other: T) => boolean;
/** `told`: the same as far as a server can be trusted to tell it as it was given. */
type Take = <T>(name: string, was: T, wanted: T, is: T, same: Same<T>, told?: Same<T>) => T;

/**
 * The body found and the body that stands with the names that instances have after the edit; null where the series was
 * moved by both.
 */
function lineUp(
  before: EditableBody,
  after: EditableBody,
  current: EditableBody,
): { b: EditableBody; c: EditableBody } | null {
  if (before.kind === 'single' || after.kind === 'single' || isSameStart(before.when, after.when))
    return { b: before, c: current };
  const b = movedLike(before, after);
  if (current.kind === 'single' || isSameStart(current.when, after.when)) return { b, c: current };
  if (isSameClock(current.when, before.when)) return { b, c: movedLike(current, after) };
  return isSameClock(current.when, after.when) ? { b, c: current } : null;
}

/** Moved to where another stands; its rules as they are where they cannot follow, which the edit then replaces. */
function movedLike(series: Series, after: Series): Series {
  const to = startOn(series.when, after.when);
  const target = lengthMsOf(series.when) > 0 && series.when.kind === to.kind ? withLength(to, series.when) : to;
  try {
    return moveSeries(series, target);
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return moveSeries({ ...series, exRules: [] }, target, series.rules);
  }
}

/** A time with the start of another; its own length where both are of one kind. */
function startOn(when: When, other: When): When {
  if (when.kind === 'all-day' || other.kind === 'all-day')
    return other.kind === when.kind ? startingAt(when, startOf(other)) : other;
  return { ...other, duration: when.duration };
}

function takeCore(name: string, was: Core, wanted: Core, is: Core, take: Take): Core {
  const core: Core = { ...is };
  for (const field of editedFields) {
    const same = (one: Core[EditedField], other: Core[EditedField]) => isSameField(field, one, other);
    // reminders never conflict
    const found = field === 'reminders' && !same(was[field], wanted[field]) ? was[field] : is[field];
    const value = take(`${name}${field}`, was[field], wanted[field], found, same);
    if (value === undefined) delete (core as Partial<Core>)[field];
    else (core as unknown as Record<string, unknown>)[field] = value;
  }
  if (wanted.self === 'organizer' && is.self === 'none' && core.attendees !== undefined) core.self = 'organizer';
  return core;
}

/** Only instances that the edit changes are looked at; those of the body that stands now stay as they are. */
function takeInstances(
  before: EditableBody,
  after: EditableBody,
  current: EditableBody,
  take: Take,
): Pick<Series, 'exdates' | 'overrides'> {
  if (after.kind === 'single') return { exdates: [], overrides: {} };
  const was = before.kind === 'series' ? before : { ...after, exdates: [], overrides: {} };
  const is = current.kind === 'series' ? current : { ...after, exdates: [], overrides: {} };
  const isAtInstances = isSameStart(before.when, after.when) && isSameJson(rulesOf(before), rulesOf(after));
  const exdates = new Set(is.exdates);
  const overrides = { ...is.overrides };
  const names = new Set([
    ...Object.keys(was.overrides),
    ...Object.keys(after.overrides),
    ...was.exdates,
    ...after.exdates,
  ]);
  for (const recId of names) {
    const excluded = (series: Series) => series.exdates.includes(recId);
    if (isSameJson([excluded(was), was.overrides[recId]], [excluded(after), after.overrides[recId]])) continue;
    if (isAtInstances && !excluded(is) && overrides[recId] === undefined && !hasStart(is, recId)) {
      // the series was moved away from under it; what is to be deleted is gone
      if (!excluded(after)) take(`${recId}.start`, 'was', 'wanted', 'moved', Object.is);
      continue;
    }
    const gone = take(`${recId}.gone`, excluded(was), excluded(after), excluded(is), Object.is);
    if (gone) {
      exdates.add(recId);
      delete overrides[recId];
      continue;
    }
    const [old, wanted, present] = [was, after, is].map((series) => instanceAt(series, recId));
    if (old === undefined || wanted === undefined || present === undefined) continue;
    if (excluded(was)) {
      // put back as it was meant
      exdates.delete(recId);
      if (after.overrides[recId] !== undefined) overrides[recId] = wanted;
      continue;
    }
    const start = take(`${recId}.start`, old.when, wanted.when, present.when, isSameStart, isSameMoment);
    const length = take(`${recId}.length`, old.when, wanted.when, present.when, isSameLength);
    const core = takeCore(`${recId}.`, old.core, wanted.core, present.core, take);
    const instance = { when: withLength(start, length), core };
    const isPlain =
      after.overrides[recId] === undefined && isSameJson(instance, instanceAt({ ...is, overrides: {} }, recId));
    if (isPlain) delete overrides[recId];
    else overrides[recId] = instance;
  }
  return { exdates: [...exdates].sort(), overrides };
}

/** Equality of events across calendars that write the same event differently. */

/** Servers keep a single event as a moment, in whatever zone. */
function isSameMoment(one: When, other: When): boolean {
  if (one.kind !== 'zoned' || other.kind !== 'zoned') return isSameStart(one, other);
  return zoneOf(one).toInstant(startOf(one)) === zoneOf(other).toInstant(startOf(other));
}

/** Under another name of the zone, or another zone that goes the same: Outlook knows a hundred and forty of them. */
function isSameClock(one: When, other: When): boolean {
  return isSameMoment(one, other) && one.start === other.start;
}

type Rules = Pick<Series, 'rules' | 'exRules' | 'extraDates'>;

function rulesOf(body: EditableBody): Rules | null {
  if (body.kind === 'single') return null;
  const { rules, exRules, extraDates } = body;
  return { rules, exRules, extraDates };
}

/** Enough to tell two rules apart that people make: six years of weeks. */
const comparedStarts = 300;

/**
 * Providers tell a rule in words of their own (with the weekday that its start implies or without, ended on a day instead
 * of at a moment): what counts is which instances it makes.
 */
function isSameRules(when: When): (one: Rules | null, other: Rules | null) => boolean {
  const open = (rules: Rules) => openStarts({ when, ...rules });
  const firstOf = (series: OpenSeries) => [...series.startsFrom(series.firstMs()).take(comparedStarts)];
  return (one, other) => {
    if (one === null || other === null || isSameJson(one, other)) return isSameJson(one, other);
    const [a, b] = [open(one), open(other)];
    return a.lastMs() === b.lastMs() && isSameJson(firstOf(a), firstOf(b));
  };
}

const isSameJson = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

type Instance = Series['overrides'][RecId];

function instanceAt(series: Series, recId: RecId): Instance | undefined {
  const own = series.overrides[recId];
  if (own !== undefined) return own;
  const slot = slotOf(series, recId);
  return slot === null ? undefined : { when: slot, core: series.core };
}

/** Whether an event still is what somebody saw who deletes it; who answered an invitation meanwhile does not matter. */
export function isAsSeen(before: EditableBody, current: EditableBody): boolean {
  if (!isSameInstance(before, current) || !isSameRules(before.when)(rulesOf(before), rulesOf(current))) return false;
  if (before.kind === 'single' || current.kind === 'single') return true;
  const names = [before, current].flatMap(({ overrides, exdates }) => [...Object.keys(overrides), ...exdates]);
  return [...new Set(names)].every((recId) => {
    if (before.exdates.includes(recId) !== current.exdates.includes(recId)) return false;
    const [one, other] = [instanceAt(before, recId), instanceAt(current, recId)];
    return one === undefined || other === undefined ? one === other : isSameInstance(one, other);
  });
}

const fields = ['title', 'location', 'notes', 'attendees'] as const;
const isFree = ({ busy }: Core) => busy === 'free' || busy === 'elsewhere';

/** Whether two events are at one time, whatever zone a server tells it in. */
export const hasSameTime = (one: Pick<Instance, 'when'>, other: Pick<Instance, 'when'>): boolean =>
  isSameMoment(one.when, other.when) && isSameLength(one.when, other.when);

function isSameInstance(one: Instance, other: Instance): boolean {
  return (
    hasSameTime(one, other) &&
    isFree(one.core) === isFree(other.core) &&
    fields.every((field) => isSameField(field, one.core[field], other.core[field]))
  );
}

/** A step that met a change of somebody else's, as it is written over what stands now; the rest of theirs stays. */
export function overwriteStep(step: Step, theirs: EditableBody): Step {
  if (step.after === null || step.before === null) return { ...step, before: theirs };
  return { ...step, before: theirs, after: imposeEdit(step.before, step.after, theirs) };
}
