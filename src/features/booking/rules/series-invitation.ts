import { type InvitedEvent, isClear } from './invitation.ts';
import { repeatStarts } from './repeat-starts.ts';

/** One time of a series. Times are epoch ms. */
export interface SeriesTime {
  /** Original start, which names the time in the series even after a move. */
  firstMs: number;
  startMs: number;
  endMs: number;
  joinUrl: string | null;
  /** Whether its guest is expected. */
  stands: boolean;
  /** The page of this date, for the guest who booked it. */
  url?: string;
  /** Addresses of the guests who were brought to it; absent where all were. */
  guests?: readonly string[];
}

/** Times that were booked together: one recurring meeting for the calendar of their guest. */
export interface BookedSeries {
  uid: string;
  /** Counts each change of each of its times. */
  sequence: number;
  /** IANA; the wall clock that its times keep. */
  zone: string;
  /** All of them, by `firstMs`; never empty. */
  times: readonly SeriesTime[];
  /** Starts that its guest left out when booking. */
  leftOutMs?: readonly number[];
}

type Part = Pick<
  InvitedEvent,
  'uid' | 'sequence' | 'zone' | 'startMs' | 'endMs' | 'joinUrl' | 'isCancelled' | 'instanceMs' | 'recurrence'
>;

/**
 * Converts a change of some times of a series for calendars. A single time is sent alone. If all times are over, the
 * end of the series is sent. Otherwise the whole series is sent: some programs do not understand a removal of several
 * instances at once.
 */
export function changeSeries(
  series: BookedSeries,
  changed: readonly Pick<SeriesTime, 'firstMs'>[],
  what: 'stand' | 'change' | 'end',
): { method: 'REQUEST' | 'CANCEL'; events: Part[] } {
  if (series.times.every(({ stands }) => !stands)) return { method: 'CANCEL', events: wholeOf(series) };
  const [first] = changed;
  const one = changed.length === 1 ? series.times.find(({ firstMs }) => firstMs === first?.firstMs) : undefined;
  if (one === undefined || what === 'stand') return { method: 'REQUEST', events: wholeOf(series) };
  return { method: what === 'end' ? 'CANCEL' : 'REQUEST', events: [instanceOf(series, one, what === 'end')] };
}

/** A series as it stands: its rule, what is left out of it, and each time that is not as the rule has it. */
export function wholeOf(series: BookedSeries): Part[] {
  const { uid, sequence, times } = series;
  const [first] = times;
  if (first === undefined) throw new RangeError('A series has times.');
  const lengthMs = first.endMs - first.startMs;
  const standing = times.filter(({ stands }) => stands);
  const isOver = standing.length === 0;
  const [one] = standing;
  const joinUrl = one !== undefined && standing.every((each) => each.joinUrl === one.joinUrl) ? one.joinUrl : null;
  const rule = ruleOf(series);
  const master: Part = {
    uid,
    sequence,
    zone: rule === null ? 'UTC' : series.zone,
    startMs: first.firstMs,
    endMs: first.firstMs + lengthMs,
    joinUrl,
    isCancelled: isOver,
    recurrence: {
      rule,
      // the first too: some programs leave it out otherwise
      moreMs: rule === null ? times.map(({ firstMs }) => firstMs) : [],
      exceptMs: isOver ? [] : times.filter(({ stands }) => !stands).map(({ firstMs }) => firstMs),
    },
  };
  const changed = standing.filter(
    (each) =>
      each.startMs !== each.firstMs || each.endMs - each.startMs !== lengthMs || each.joinUrl !== master.joinUrl,
  );
  return [master, ...changed.map((each) => ({ ...instanceOf(series, each, false), zone: master.zone }))];
}

function instanceOf(series: BookedSeries, time: SeriesTime, isCancelled: boolean): Part {
  const { uid, sequence } = series;
  const { firstMs, startMs, endMs, joinUrl } = time;
  const zone = ruleOf(series) === null ? 'UTC' : series.zone;
  // a canceled event has no join link
  return {
    uid,
    sequence,
    zone,
    startMs,
    endMs,
    joinUrl: isCancelled ? null : joinUrl,
    isCancelled,
    instanceMs: firstMs,
  };
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The rule that gives just these times; null where none does that programs agree about: a change of the clocks falls into
 * one or leaves its hour out, or the 30th of each month meets a February.
 */
function ruleOf({ zone, times }: BookedSeries): string | null {
  const starts = times.map(({ firstMs }) => firstMs);
  const [first] = times;
  if (first === undefined || times.length === 1) return null;
  const startMs = first.firstMs;
  const days = starts.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone));
  const lengthMs = first.endMs - first.startMs;
  const isPlain = (day: Temporal.ZonedDateTime) => {
    const end = day.add({ milliseconds: lengthMs });
    return (
      isClear({ zone, startMs: day.epochMilliseconds, endMs: end.epochMilliseconds }) &&
      day.offset === end.offset &&
      minuteOf(day) === minuteOf(days[0] ?? day)
    );
  };
  if (!days.every(isPlain)) return null;
  const every = (['week', 'two-weeks', 'month'] as const).find((one) =>
    repeatStarts(startMs, zone, one, starts.length).every((ms, n) => ms === starts[n]),
  );
  const onDay = every === 'month' ? monthDayOf(days) : weekdays[(days[0]?.dayOfWeek ?? 1) - 1];
  if (every === undefined || onDay === undefined) return null;
  const rules = {
    week: `FREQ=WEEKLY;BYDAY=${onDay}`,
    'two-weeks': `FREQ=WEEKLY;INTERVAL=2;BYDAY=${onDay}`,
    month: `FREQ=MONTHLY;BYMONTHDAY=${onDay}`,
  };
  return `${rules[every]};COUNT=${starts.length}`;
}

const minuteOf = ({ hour, minute }: Temporal.ZonedDateTime) => hour * 60 + minute;

function monthDayOf(days: readonly Temporal.ZonedDateTime[]): number | undefined {
  if (days.every(({ day }) => day === days[0]?.day)) return days[0]?.day;
  return days.every(({ day, daysInMonth }) => day === daysInMonth) ? -1 : undefined;
}
