import type { BusyStatus, Core } from '#kernel/event.ts';
import { type Component, readProperty } from '#kernel/ical/content-lines.ts';
import { exactDuration, readDateValue, readDurationValue } from '#kernel/ical/date-value.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import type { Sliced } from '#kernel/work-budget.ts';

/** A busy period as an event without a title. */
export interface BusyPeriod {
  /** `20261208T090000Z/20261208T100000Z`, the same for the same period. */
  name: string;
  body: {
    kind: 'single';
    when: { kind: 'zoned'; start: string; zone: 'UTC'; duration: { seconds: number } };
    core: Core;
  };
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
 * more periods than a file may have.
 * *Source*: RFC 5545 3.6.4, 3.8.2.6, 3.2.9.
 */
export function* readBusyPeriods(
  components: readonly Component[],
): Sliced<{ periods: BusyPeriod[]; unreadable: number } | null> {
  const periods = new Map<string, BusyPeriod>();
  let unreadable = 0;
  let left = mostPeriods;
  const lines = components.flatMap((one) => one.lines.filter(({ name }) => name === 'FREEBUSY'));
  if (lines.length > left) return null;
  for (const [at, line] of lines.entries()) {
    if (at % betweenPauses === 0) yield;
    const { parameters, value } = readProperty(line);
    const busy = statuses[parameters?.get('FBTYPE')?.toUpperCase() ?? 'BUSY'] ?? 'busy';
    if (busy === 'free') continue;
    const texts = value.split(',', left + 1);
    left -= texts.length;
    if (left < 0) return null;
    for (const [n, text] of texts.entries()) {
      if (n % betweenPauses === betweenPauses - 1) yield;
      const period = readPeriod(text.trim(), busy);
      if (period === null) unreadable += 1;
      else periods.set(period.name, period);
    }
  }
  return { periods: [...periods.values()], unreadable };
}

/** Lines, and periods of one line. */
const betweenPauses = 1_000;

function readPeriod(text: string, busy: BusyStatus): BusyPeriod | null {
  const [from = '', to = ''] = text.split('/');
  const start = readDateValue(from, null, false);
  if (start?.form !== 'utc') return null;
  const duration = readDurationValue(to);
  const endMs =
    duration === null
      ? readDateValue(to, null, false)?.ms
      : start.ms + (duration.days * 86_400 + duration.seconds) * 1_000;
  if (endMs === undefined || endMs <= start.ms) return null;
  return {
    name: `${from}/${to}`,
    body: {
      kind: 'single',
      when: {
        kind: 'zoned',
        start: printLocalDateTime(start.ms),
        zone: 'UTC',
        duration: exactDuration(start.ms, endMs) as { seconds: number },
      },
      core: { busy, private: true, self: 'none', kind: 'default' },
    },
  };
}
