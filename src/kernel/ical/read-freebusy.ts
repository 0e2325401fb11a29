import type { BusyStatus, Core, Duration, When } from '#kernel/event.ts';
import { pauseChars } from '#kernel/ical/content-lines.ts';
import {
  type DateValue,
  exactDuration,
  instantOf,
  nominalDuration,
  readDateProperty,
  readDateValue,
  readDurationValue,
  wallDuration,
} from '#kernel/ical/date-value.ts';
import type { RawEvent } from '#kernel/ical/read-event.ts';
import type { ZoneLookup } from '#kernel/ical/zone-lookup.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { usualMs } from '#kernel/time/duration.ts';
import { printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';
import type { Sliced } from '#kernel/work-budget.ts';

/** A busy period as an event without a title. */
export interface BusyPeriod {
  /** `20261208T090000Z/20261208T100000Z`, behind its zone where it has one; the same for the same period. */
  name: string;
  body: { kind: 'single'; when: When; core: Core };
}

const statuses: Readonly<Record<string, BusyStatus>> = {
  FREE: 'free',
  'BUSY-TENTATIVE': 'tentative',
  'BUSY-UNAVAILABLE': 'oof',
};

/** As many as a file may have events. */
const mostPeriods = 20_000;

/**
 * The busy periods of VFREEBUSY components, each once, and how many could not be read. An unknown FBTYPE is busy. Null for
 * more periods than a file may have. The standard has them in UTC alone; some programs write local times and a TZID.
 * *Source*: RFC 5545 3.6.4, 3.8.2.6, 3.2.9.
 */
export function* readBusyPeriods(
  components: readonly RawEvent[],
  zonesOf: (component: RawEvent) => ZoneLookup,
): Sliced<{ periods: BusyPeriod[]; unreadable: number } | null> {
  const periods = new Map<string, BusyPeriod>();
  let unreadable = 0;
  let left = mostPeriods;
  const lines = components.flatMap((one) => {
    const own = one.component.lines.filter(({ name }) => name === 'FREEBUSY');
    const zones = own.length === 0 ? null : zonesOf(one);
    return own.map((line) => ({ line, zones }));
  });
  if (lines.length > left) return null;
  let chars = 0;
  for (const [at, { line, zones }] of lines.entries()) {
    chars += line.text.length;
    if (at % betweenPauses === 0 || chars > pauseChars) {
      yield;
      chars = 0;
    }
    const { parameters, value } = readDateProperty(line);
    const busy = statuses[parameters?.get('FBTYPE')?.toUpperCase() ?? 'BUSY'] ?? 'busy';
    if (busy === 'free') continue;
    const tzid = parameters?.get('TZID') ?? '';
    const zone = tzid === '' ? null : (zones?.find(tzid) ?? null);
    const texts = value.split(',', left + 1);
    left -= texts.length;
    if (left < 0) return null;
    for (const [n, text] of texts.entries()) {
      if (n % betweenPauses === betweenPauses - 1) yield;
      const when = readPeriod(text.trim(), zone);
      const name = `${zone === null ? '' : `${zone.id} `}${text.trim()}`;
      const core: Core = { busy, private: true, self: 'none', kind: 'default' };
      if (when === null) unreadable += 1;
      else periods.set(name, { name, body: { kind: 'single', when, core } });
    }
  }
  return { periods: [...periods.values()], unreadable };
}

/** Lines, and periods of one line. */
const betweenPauses = 1_000;

function readPeriod(text: string, zone: Zone | null): When | null {
  const [from = '', to = ''] = text.split('/');
  const start = readDateValue(from, zone, false);
  if (start === null) return null;
  const length = readDurationValue(to);
  const end = length === null ? readDateValue(to, zone, false) : null;
  if (start.form === 'date') {
    const endMs = end?.ms ?? start.ms + (length === null ? 0 : length.days * dayMs);
    return endMs <= start.ms ? null : { kind: 'all-day', start: printLocalDate(start.ms), end: printLocalDate(endMs) };
  }
  const duration = end === null ? length && nominalDuration(length.days, length.seconds) : between(start, end);
  if (duration === null || !(usualMs(duration) > 0)) return null;
  if (start.form === 'floating') return { kind: 'floating', start: printLocalDateTime(start.ms), duration };
  const clock = start.form === 'utc' ? utc : (zone ?? utc);
  return { kind: 'zoned', start: printLocalDateTime(start.ms), zone: clock.id, duration };
}

function between(start: DateValue, end: DateValue): Duration {
  const measure = start.form === 'floating' ? wallDuration : exactDuration;
  return measure(instantOf(start, null), instantOf(end, null));
}
