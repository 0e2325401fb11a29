/** An event as a person keeps it, written down as a calendar program would and read back by nothing of the product. */
export interface KeptEvent {
  uid: string;
  /** By which its person's calendar finds it. */
  file: string;
  title: string;
  /** Whether it takes no time. */
  isFree: boolean;
  /** `date`: whole days. `floating`: wherever its calendar is. */
  zone: string;
  /** Local time, or the first day. */
  start: string;
  /** Minutes, or days. */
  length: number;
  /** Number of weeks of a series; 1 for a single event. */
  weeks: number;
  /** Weeks in which it does not happen. */
  left: Set<number>;
  /** Weeks in which it takes no time. */
  freed: Set<number>;
  /** Weeks in which it happens at another local time. */
  moved: Map<number, string>;
  /** The mark that came with it, where it was copied from a block: as its provider keeps it. */
  tag: string | null;
  /** Whether its end is a local time like its start: across a DST change it is longer or shorter. */
  endsByClock: boolean;
}

/** A stretch of time: epoch ms, or days where it covers whole ones. */
export interface Stretch {
  from: number | string;
  to: number | string;
}

/** A date or a local time as iCalendar has it. */
export const basic = (local: string) => local.replace(/[-:]/g, '').slice(0, 15);
const isDays = ({ zone }: Pick<KeptEvent, 'zone'>) => zone === 'date';

/** The local start in a week, as its rule has it. */
export function ruledStart(event: Pick<KeptEvent, 'zone' | 'start'>, week: number): string {
  const days = { days: 7 * week };
  return isDays(event)
    ? Temporal.PlainDate.from(event.start).add(days).toString()
    : Temporal.PlainDateTime.from(event.start).add(days).toString({ smallestUnit: 'second' });
}

/** The inside of a VCALENDAR. */
export function componentsOf(event: KeptEvent): string {
  const property = (name: string, local: string) => {
    if (isDays(event)) return `${name};VALUE=DATE:${basic(local)}`;
    if (event.zone === 'UTC') return `${name}:${basic(local)}Z`;
    return event.zone === 'floating' ? `${name}:${basic(local)}` : `${name};TZID=${event.zone}:${basic(local)}`;
  };
  const times = (start: string) => {
    const end = isDays(event)
      ? property('DTEND', Temporal.PlainDate.from(start).add({ days: event.length }).toString())
      : `DURATION:PT${event.length}M`;
    return [property('DTSTART', start), end];
  };
  const component = (lines: string[], isFree: boolean) => [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    ...lines,
    `SUMMARY:${event.title}`,
    ...(event.tag === null ? [] : [event.tag]),
    ...(isFree ? ['TRANSP:TRANSPARENT'] : []),
    'END:VEVENT',
  ];
  const changed = new Set([...event.freed, ...event.moved.keys()]);
  return [
    ...component(
      [
        ...times(event.start),
        ...(event.weeks > 1 ? [`RRULE:FREQ=WEEKLY;COUNT=${event.weeks}`] : []),
        ...[...event.left].map((week) => property('EXDATE', ruledStart(event, week))),
      ],
      event.isFree,
    ),
    ...[...changed].flatMap((week) =>
      component(
        [
          property('RECURRENCE-ID', ruledStart(event, week)),
          ...times(event.moved.get(week) ?? ruledStart(event, week)),
        ],
        event.isFree || event.freed.has(week),
      ),
    ),
  ].join('\n');
}

/** The time that an event takes, week by week. */
export function takenBy(event: KeptEvent, calendarZone: string): Stretch[] {
  if (event.isFree || event.title.includes('#nosync')) return [];
  const zone = event.zone === 'floating' ? calendarZone : event.zone;
  const stretches: Stretch[] = [];
  const momentOfLocal = (local: Temporal.PlainDateTime) => local.toZonedDateTime(zone).epochMilliseconds;
  for (let week = 0; week < event.weeks; week += 1) {
    if (event.left.has(week) || event.freed.has(week)) continue;
    const start = event.moved.get(week) ?? ruledStart(event, week);
    if (isDays(event)) {
      stretches.push({ from: start, to: Temporal.PlainDate.from(start).add({ days: event.length }).toString() });
    } else {
      const local = Temporal.PlainDateTime.from(start);
      const from = momentOfLocal(local);
      const isRuled = event.endsByClock && !event.moved.has(week);
      stretches.push({ from, to: isRuled ? momentOfLocal(local.add(onClock(event))) : from + event.length * 60_000 });
    }
  }
  return stretches;
}

/** How much later the clock shows at the end of its first day than at the start. */
function onClock({ start, zone, length }: KeptEvent): Temporal.Duration {
  const local = Temporal.PlainDateTime.from(start);
  return local.until(local.toZonedDateTime(zone).add({ minutes: length }).toPlainDateTime());
}

/** The time that an object of iCalendar takes: single events and weekly series with a COUNT, which is all there is here. */
export function takenByObject(text: string, calendarZone: string): Stretch[] {
  const components = text
    .replace(/\r?\n[ \t]/g, '')
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((part) => part.split(/\r?\n/));
  const instances = new Map<string, Stretch>();
  const place = (key: string, lines: string[], stretch: Stretch) => {
    if (lines.includes('TRANSP:TRANSPARENT') || lines.includes('STATUS:CANCELLED')) instances.delete(key);
    else instances.set(key, stretch);
  };
  // overrides replace instances of the rule, wherever they are in the file
  const isChanged = (lines: string[]) => find(lines, 'RECURRENCE-ID') !== undefined;
  for (const lines of components.toSorted((one, other) => Number(isChanged(one)) - Number(isChanged(other)))) {
    const [start, end] = [read(find(lines, 'DTSTART')), read(find(lines, 'DTEND'))];
    const original = find(lines, 'RECURRENCE-ID');
    const rule = find(lines, 'RRULE');
    const at = (local: Local) => momentOf(local, calendarZone);
    if (original !== undefined || rule === undefined) {
      place(original === undefined ? '' : String(at(read(original))), lines, { from: at(start), to: at(end) });
      continue;
    }
    const weeks = weeksOf(rule);
    const skipped = new Set(
      lines
        .filter((line) => /^EXDATE[;:]/.test(line))
        .flatMap(readAll)
        .map((one) => String(at(one))),
    );
    for (let week = 0; week < weeks; week += 1) {
      const from = at(shift(start, 7 * week));
      if (skipped.has(String(from))) continue;
      const to = typeof from === 'string' ? at(shift(end, 7 * week)) : from + (Number(at(end)) - Number(at(start)));
      place(String(from), lines, { from, to });
    }
  }
  return [...instances.values()];
}

/** Returns the number of weeks of a rule that says only "each week, so often". */
function weeksOf(rule: string): number {
  const parts = new Map(
    rule
      .slice('RRULE:'.length)
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  );
  const isPlain = [...parts].every(
    ([name, value]) =>
      name === 'COUNT' ||
      name === 'WKST' ||
      (name === 'FREQ' && value === 'WEEKLY') ||
      (name === 'INTERVAL' && value === '1') ||
      (name === 'BYDAY' && value.length === 2),
  );
  const weeks = Number(parts.get('COUNT'));
  if (!isPlain || !(weeks > 0)) throw new Error(`a rule that nobody here made: ${rule}`);
  return weeks;
}

const find = (lines: string[], name: string) => lines.find((line) => new RegExp(`^${name}[;:]`).test(line));

interface Local {
  zone: string | null;
  value: Temporal.PlainDateTime | Temporal.PlainDate;
}

function readAll(line: string): Local[] {
  const at = line.lastIndexOf(':');
  const zone = /TZID=([^:;]+)/.exec(line)?.[1] ?? null;
  return line
    .slice(at + 1)
    .split(',')
    .map((text) => {
      if (!text.includes('T')) return { zone, value: Temporal.PlainDate.from(text) };
      const value = Temporal.PlainDateTime.from(text.replace('Z', ''));
      return { zone: text.endsWith('Z') ? 'UTC' : zone, value };
    });
}

function read(line: string | undefined): Local {
  const [only] = line === undefined ? [] : readAll(line);
  if (only === undefined) throw new Error('an object without its times');
  return only;
}

const shift = ({ zone, value }: Local, days: number): Local => ({ zone, value: value.add({ days }) });

function momentOf({ zone, value }: Local, calendarZone: string): number | string {
  return value instanceof Temporal.PlainDate
    ? value.toString()
    : value.toZonedDateTime(zone ?? calendarZone).epochMilliseconds;
}
