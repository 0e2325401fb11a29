import type { When } from '#kernel/event.ts';
import type { MirrorRule } from './mirror-rule.ts';

type Hours = NonNullable<MirrorRule['hours']>;

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The rule's hours on one local day as instants; an end at or before the start is on the next day; 24:00 is midnight. */
function hoursOn(day: Temporal.PlainDate, hours: Hours): { startMs: number; endMs: number } {
  const start = minutesOf(hours.start);
  const end = minutesOf(hours.end);
  const at = (minutes: number) =>
    day
      .add({ days: Math.floor(minutes / 1440) })
      .toPlainDateTime({ hour: Math.floor((minutes % 1440) / 60), minute: minutes % 60 })
      .toZonedDateTime(hours.zone).epochMilliseconds;
  return { startMs: at(start), endMs: at(end > start ? end : end + 1440) };
}

/** True if [startMs, endMs) overlaps the rule's hours on one of its weekdays. At most 366 days are looked at. */
export function touchesHours(instance: { startMs: number; endMs: number }, hours: Hours): boolean {
  if (hours.weekdays.length === 0) return false;
  const first = Temporal.Instant.fromEpochMilliseconds(instance.startMs).toZonedDateTimeISO(hours.zone).toPlainDate();
  let day = first.subtract({ days: 1 }); // hours that began yesterday and cross midnight
  for (let count = 0; count < 366; count += 1, day = day.add({ days: 1 })) {
    const open = hoursOn(day, hours);
    if (open.startMs >= instance.endMs) return false;
    if (hours.weekdays.includes(day.dayOfWeek) && open.startMs < instance.endMs && instance.startMs < open.endMs)
      return true;
  }
  return true;
}

/** An all-day event as one block from the hours' start on its first day to their end on its last. */
export function blockOfBusyHours(when: Extract<When, { kind: 'all-day' }>, hours: Hours): When | null {
  const last = Temporal.PlainDate.from(when.end).subtract({ days: 1 });
  let day = Temporal.PlainDate.from(when.start);
  const open: Temporal.PlainDate[] = [];
  for (
    let count = 0;
    count < 366 && Temporal.PlainDate.compare(day, last) <= 0;
    count += 1, day = day.add({ days: 1 })
  ) {
    if (hours.weekdays.includes(day.dayOfWeek)) open.push(day);
  }
  const [from, to] = [open[0], open.at(-1)];
  if (from === undefined || to === undefined) return null;
  const { startMs } = hoursOn(from, hours);
  const { endMs } = hoursOn(to, hours);
  const start = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(hours.zone).toPlainDateTime();
  return {
    kind: 'zoned',
    start: start.toString({ smallestUnit: 'second' }),
    zone: hours.zone,
    duration: { seconds: Math.round((endMs - startMs) / 1000) },
  };
}
