import ICAL from 'ical.js';
import rrulePackage from 'rrule';
import { RRuleTemporal } from 'rrule-temporal';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { printBasicDateTime, printLocalDateTime } from '#kernel/time/local.ts';
import type { TestSeries } from './recurrence-series.ts';

/** A series made ready by one library; counts the instances in the window. Making it ready is not timed. */
export type Expansion = (fromMs: number, toMs: number) => number;

export const zone = 'America/New_York';

export function openOurs({ startMs, rule }: TestSeries): Expansion {
  const start = printLocalDateTime(startMs);
  const series = openSeries({ start, zone, rules: [rule], exRules: [], extraDates: [], exdates: [] });
  return (fromMs, toMs) => series.between(fromMs, toMs).startsMs.length;
}

export function openRruleTemporal({ startMs, rule }: TestSeries): Expansion {
  const opened = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${printBasicDateTime(startMs)}\nRRULE:${rule}`,
  });
  return (fromMs, toMs) => {
    const from = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(zone);
    const to = Temporal.Instant.fromEpochMilliseconds(toMs - 1).toZonedDateTimeISO(zone);
    return opened.between(from, to, true).length;
  };
}

const { RRule } = rrulePackage;

/** With its zone, as its users have it: one formatter per date. */
export function openRrule({ startMs, rule }: TestSeries): Expansion {
  const opened = new RRule({ ...RRule.parseString(rule), dtstart: new Date(startMs), tzid: zone }, true);
  return (fromMs, toMs) => opened.between(new Date(fromMs), new Date(toMs - 1), true).length;
}

/** Without a zone: wall-clock times that nobody has turned into instants yet. */
export function openFloatingRrule({ startMs, rule }: TestSeries): Expansion {
  const opened = new RRule({ ...RRule.parseString(rule), dtstart: new Date(startMs) }, true);
  return (fromMs, toMs) => opened.between(new Date(fromMs), new Date(toMs - 1), true).length;
}

/** Without a zone, which is its fastest; it can only walk from DTSTART. */
export function openIcalJs({ startMs, rule }: TestSeries): Expansion {
  const recur = ICAL.Recur.fromString(rule);
  const start = ICAL.Time.fromDateTimeString(printLocalDateTime(startMs));
  return (fromMs, toMs) => {
    const [from, to] = [fromMs / 1000, toMs / 1000];
    const walk = recur.iterator(start);
    let count = 0;
    for (let at = walk.next(); at; at = walk.next()) {
      const seconds = at.toUnixTime();
      if (seconds >= to) break;
      if (seconds >= from) count += 1;
    }
    return count;
  };
}
