import type { Series, When } from '#kernel/event.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { moveLocal, moveRecId, shiftRule } from './shift-rule.ts';
import {
  isSameStart,
  isSameWhen,
  lengthMsOf,
  slotOf,
  startingAt,
  startOf,
  timeOfDay,
  withLength,
} from './wall-time.ts';

/**
 * A series that begins at another time, in another zone, or for whole days, from its first instance on. Excluded and extra
 * dates move along, and so do changed instances: those that stood where the rule put them, the rest stays where it was
 * moved to. `rules`: those that replace the present ones; absent: the present ones move along too.
 *
 * *Errors*: EditRefused where a rule cannot.
 */
export function moveSeries(series: Series, to: When, rules?: string[]): Series {
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
    const slot = slotOf(series, recId);
    const place = name === null ? null : slotOf(moved, name);
    if (name === null || slot === null || place === null) continue;
    moved.overrides[name] = { ...override, when: follow(override.when, slot, place) };
  }
  moved.exdates = moved.exdates.filter((recId) => moved.overrides[recId] === undefined);
  return moved;
}

/** The time of a changed instance after the move of its slot: what it shared with it, it goes on sharing. */
function follow(own: When, slot: When, place: When): When {
  if (isSameWhen(own, slot)) return place;
  if (isSameStart(own, slot)) return withLength(place, own);
  const kept = slot.kind === place.kind ? own : toKind(own, slot, place);
  return lengthMsOf(own) === lengthMsOf(slot) ? withLength(kept, place) : kept;
}

/** An instance that was moved keeps its day when its series becomes one of whole days or of times, and floats with it. */
function toKind(own: When, slot: When, place: When): When {
  if (own.kind === place.kind) return own;
  if (slot.kind !== 'all-day' && place.kind !== 'all-day') return own;
  const dayShift = Math.round((startOf(own) - startOf(slot)) / dayMs) * dayMs;
  const day = startOf(place) - timeOfDay(startOf(place)) + dayShift;
  return startingAt(place, day + timeOfDay(startOf(place)));
}
