import type { EventBody, ExtraDate, RecId, Series, When } from '#kernel/event.ts';
import { localDayOf } from '#kernel/ical/canonical-rule.ts';
import { type DateValue, instantOf, wallMsOf } from '#kernel/ical/date-value.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

/** The frame that brings any date of a series into the series' own kind and zone. */
export interface Frame {
  kind: When['kind'];
  /** UTC where the series is not zoned: local ms then pass through. */
  zone: Zone;
  timeOfDayMs: number;
  calendarZone: string | undefined;
}

export function frameOf(when: When, calendarZone: string | undefined): Frame {
  const localMs = parseLocal(when.start) ?? 0;
  return {
    kind: when.kind,
    zone: when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : utc,
    timeOfDayMs: ((localMs % dayMs) + dayMs) % dayMs,
    calendarZone,
  };
}

/**
 * A date of a series, in whatever form it was written, as the ms of its RecId: epoch ms for zoned series, else local
 * ms. A bare date on a timed series means the instance of that day.
 */
export function frameMs(value: DateValue, frame: Frame): number {
  switch (frame.kind) {
    case 'all-day':
      if (value.form === 'utc') return localDayOf(value.ms, frame.calendarZone);
      return Math.floor(value.ms / dayMs) * dayMs;
    case 'floating':
      return value.form === 'date' ? value.ms + frame.timeOfDayMs : wallMsOf(value, frame.calendarZone);
    case 'zoned':
      return value.form === 'date' ? frame.zone.toInstant(value.ms + frame.timeOfDayMs) : instantOf(value, frame.zone);
  }
}

/** An extra date from the ms of its RecId. */
export function extraDateAt(ms: number, frame: Frame): ExtraDate {
  return { start: frame.kind === 'all-day' ? printLocalDate(ms) : printLocalDateTime(frame.zone.toLocal(ms)) };
}

/** The name of the first instance of a series. */
export function firstRecId(when: When): RecId {
  const localMs = parseLocal(when.start) ?? 0;
  return makeRecId(when.kind, when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc).toInstant(localMs) : localMs);
}

/** The same event in a form that is only read: parts of it are unknown, and writing it would lose them. */
export function readOnly(of: string, body: EventBody): EventBody {
  if (body.kind === 'series') return { kind: 'split', series: body, changes: [] };
  if (body.kind !== 'single') return body;
  const { when, core } = body;
  return { kind: 'instances', of, from: -8.64e15, to: 8.64e15, list: { [firstRecId(when)]: { when, core } } };
}

/** Whether a series is more, or less, than one event. */
export function isRepeating(series: Series): boolean {
  if (series.rules.length > 0 || series.extraDates.length > 0 || Object.keys(series.overrides).length > 0) return true;
  return series.exdates.includes(firstRecId(series.when));
}
