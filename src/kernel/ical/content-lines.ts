import { endOfLine, endOfName, isContinued, mendText, mostParameterChars, Parameters } from '#kernel/ical/ical-text.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { type Sliced, withoutPause } from '#kernel/work-budget.ts';

/**
 * Splits iCalendar text into components and unfolded content lines, within fixed bounds and without interpreting
 * anything. Tolerant of what real exporters write (LF or CR alone, doubled line ends, BOM, junk lines), strict about
 * size, so that nothing after it meets an unbounded input. Source: RFC 5545 3.1, 3.6.
 *
 * Not ical.js: that throws the whole file away for one bad line, types values before we know that we want them, and
 * costs 14 us for an event of 1.4 KB, where a scan costs 3.
 */

export const icalLimits = {
  chars: 10 * 1024 * 1024,
  components: 20_000,
  /** A line costs some hundred bytes of memory, however short it is. */
  lines: 400_000,
  linesOfComponent: 60_000,
  depth: 8,
  lineChars: 1024 * 1024,
  /** Limit per line; further parameters are ignored. */
  parameters: 100,
  /** Limit of a parameter's value; the rest is ignored. */
  parameterChars: mostParameterChars,
} as const;

export interface ContentLine {
  /** Upper case. */
  name: string;
  /** The whole unfolded line. */
  text: string;
  /** Where the name ends: the index of `;` or `:`. */
  nameEnd: number;
}

/** A line and its place in the text of the scan, folds and line end included. */
export interface PlacedLine extends ContentLine {
  start: number;
  end: number;
}

export interface Component {
  /** Upper case. */
  name: string;
  lines: PlacedLine[];
  components: Component[];
  /** Where it stands in the text, its BEGIN and END lines included. */
  start: number;
  end: number;
  /** Where its END line starts. */
  bodyEnd: number;
  /** False when the text stops inside it. */
  closed: boolean;
  /** Whether its END line is missing, so that part of it may be missing too. */
  damaged: boolean;
}

export interface Scan {
  ok: true;
  text: string;
  /** The outermost components, normally one VCALENDAR. */
  roots: Component[];
  /** False when the text stops inside a component: it was cut off, and nothing may be concluded from absence. */
  complete: boolean;
  /** True when a BEGIN or END line is missing: a component may have been lost, and absence proves nothing. */
  damaged: boolean;
  warnings: string[];
}

/** Components that only a VCALENDAR holds: their BEGIN inside another component means that its END is missing. */
const topComponents = new Set(['VCALENDAR', 'VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);

/** Whether a component must be over where another begins: its END is missing. */
const isOver = (name: string, begun: string) =>
  topComponents.has(begun) && (name !== 'VCALENDAR' || begun === 'VCALENDAR');

/** Properties without which an event would take another time. */
const timeLines = new Set(['UID', 'DTSTART', 'DTEND', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID', 'STATUS', 'TRANSP']);

/** An alarm has a DURATION only beside a REPEAT. */
const tellTime = (names: ReadonlySet<string>) =>
  !timeLines.isDisjointFrom(names) || (names.has('DURATION') && !names.has('REPEAT'));

const isUid = ({ name }: ContentLine) => name === 'UID';
const isStart = ({ name }: ContentLine) => name === 'DTSTART';

/** Components inside an event. A calendar may have unknown ones. */
const nestedComponents = new Set(['VALARM', 'PARTICIPANT', 'VLOCATION', 'VRESOURCE']);

const headLine = /^(?:VERSION|PRODID|CALSCALE|METHOD|REFRESH-INTERVAL|X-WR-.*|X-PUBLISHED-TTL)$/;

/** The lines of a calendar behind a place that are none of its own. */
function strayLines({ lines }: Component, from: number): PlacedLine[] {
  const stray = lines.slice(-mostStray).filter(({ start }) => start >= from);
  const found = stray.slice(1 + stray.findLastIndex(({ name }) => headLine.test(name)));
  // a calendar may have a UID itself
  const last = found.findLastIndex(isUid);
  return found.findIndex(isUid) === last ? found : found.slice(last);
}

/** Lines and components between two events that are looked at: an event has fewer. */
const mostStray = 200;

/** Components whose content is looked at only in rare cases, through `start` and `end`; of their lines only TZID is kept. */
const opaqueComponents = new Set(['VTIMEZONE', 'STANDARD', 'DAYLIGHT', 'VTODO', 'VJOURNAL']);

/**
 * The components of an iCalendar text, or why it is refused as a whole.
 * Errors: none thrown; `{ ok: false, reason }` beyond `icalLimits` or where there is no component at all.
 */
export function scanComponents(
  input: string,
  opaque: ReadonlySet<string> = opaqueComponents,
): Scan | { ok: false; reason: string } {
  return withoutPause(scanInSlices(input, opaque));
}

/** Characters between two pauses. */
export const pauseChars = 64 * 1024;

/** The same, with pauses. */
export function* scanInSlices(
  input: string,
  opaque: ReadonlySet<string> = opaqueComponents,
): Sliced<Scan | { ok: false; reason: string }> {
  if (input.length > icalLimits.chars) return { ok: false, reason: 'larger than 10 MB' };
  const warnings: string[] = [];
  const text = mendText(input, warnings);
  const roots: Component[] = [];
  const stack: Component[] = [];
  let current: Component | undefined;
  let count = 0;
  let lines = 0;
  let junkLines = 0;
  let damaged = false;
  let stray: PlacedLine[] = [];
  let pauseAt = pauseChars;
  const { length } = text;

  for (let at = 0; at < length; ) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + pauseChars;
    }
    const first = text.charCodeAt(at);
    if (first === 10 || first === 13) {
      at += 1;
      continue;
    }
    const lineStart = at;
    let eol = text.indexOf('\n', at);
    if (eol === -1) eol = length;
    // A line beyond the limit (an inlined attachment, a runaway description) is cut, folded or not.
    let line = text.slice(at, Math.min(endOfLine(text, eol), at + icalLimits.lineChars));
    at = eol + 1;
    // Folded lines. Exporters that double their line ends (CR CR LF, or an empty line after each) still unfold.
    for (;;) {
      if (at >= pauseAt) {
        yield;
        pauseAt = at + pauseChars;
      }
      let next = at;
      while (next < length && (text.charCodeAt(next) === 10 || text.charCodeAt(next) === 13)) next += 1;
      const lead = text.charCodeAt(next);
      if (lead !== 32 && lead !== 9) break;
      eol = text.indexOf('\n', next);
      if (eol === -1) eol = length;
      const room = icalLimits.lineChars - line.length;
      if (room > 0) {
        line += text.slice(next + 1, Math.min(endOfLine(text, eol), next + 1 + room));
      }
      at = eol + 1;
    }

    // A quoted-printable value of vCalendar 1.0 is continued on the next line by a `=` at its end.
    if (isContinued(line)) {
      const parts = [line];
      while (at < length && parts.at(-1)?.endsWith('=')) {
        eol = text.indexOf('\n', at);
        if (eol === -1) eol = length;
        parts.push(text.slice(at, endOfLine(text, eol)));
        at = eol + 1;
      }
      line = parts.join('\n').replaceAll('=\n', '').slice(0, icalLimits.lineChars);
    }

    const nameEnd = endOfName(line);
    if (nameEnd <= 0) {
      if (current !== undefined) junkLines += 1;
      continue;
    }
    const name = upperCase(line.slice(0, nameEnd));

    if (name === 'BEGIN') {
      count += 1;
      if (count > icalLimits.components) return { ok: false, reason: 'more than 20,000 components' };
      const begun = upperCase(line.slice(nameEnd + 1).trim());
      let isRest = false;
      while (current !== undefined && isOver(current.name, begun)) {
        warnings.push(warning('component-unclosed', { component: current.name }));
        damaged = true;
        Object.assign(current, { end: lineStart, bodyEnd: lineStart, closed: true, damaged: true });
        // a BEGIN in the middle of a component: the name of the first half is in the second
        isRest ||=
          begun !== 'VCALENDAR' && current.name === begun && current.lines.length > 0 && !current.lines.some(isUid);
        stack.pop();
        current = stack.at(-1);
      }
      if (stack.length >= icalLimits.depth) return { ok: false, reason: 'components nested deeper than 8' };
      const component: Component = {
        name: begun,
        lines: [],
        components: [],
        start: lineStart,
        end: length,
        bodyEnd: length,
        closed: false,
        damaged: isRest,
      };
      (current === undefined ? roots : current.components).push(component);
      stack.push(component);
      current = component;
    } else if (current === undefined) {
      // Text around the calendar (a mail body, an HTML page) is not ours to understand, but for an event without its beginning.
      const place = { start: lineStart, end: Math.min(at, length) };
      stray = [...stray.slice(-mostStray), { name, text: line, nameEnd, ...place }];
      const ended = name === 'END' ? upperCase(line.slice(nameEnd + 1).trim()) : '';
      if (!topComponents.has(ended) || roots.some((root) => root.name === 'VCALENDAR')) continue;
      if (!damaged) warnings.push(warning('beginning-missing', {}));
      const rest = { ...place, name: ended, lines: stray, components: [], bodyEnd: lineStart };
      if (ended === 'VEVENT' && stray.some(isStart)) roots.push({ ...rest, closed: true, damaged: true });
      [stray, damaged] = [[], true];
    } else if (name === 'END') {
      const ended = upperCase(line.slice(nameEnd + 1).trim());
      let depth = stack.length - 1;
      while (depth >= 0 && stack[depth]?.name !== ended) depth -= 1;
      if (depth < 0) {
        junkLines += 1;
        if (!topComponents.has(ended)) continue;
        damaged = true;
        const rest: Component = { ...current, name: ended, end: Math.min(at, length), bodyEnd: lineStart };
        Object.assign(rest, { closed: true, damaged: true });
        if (current.name !== 'VCALENDAR') {
          // the BEGIN line is misspelled, or the END line names another component
          if (nestedComponents.has(current.name) || !current.lines.some(isStart)) continue;
          Object.assign(current, rest, current.name === 'VEVENT' ? { name: 'VEVENT' } : {});
          stack.pop();
          current = stack.at(-1);
          continue;
        }
        // the BEGIN line is missing, or the one before was closed in its middle
        const last = current.components.slice(-mostStray).findLast(({ name: other }) => topComponents.has(other));
        const between = strayLines(current, last?.end ?? 0);
        const isWhole = between.some(isUid) && between.some(isStart);
        if (last?.name === ended && between.length > 0 && !isWhole) last.damaged = true;
        if (!between.some(isStart)) continue;
        current.components.push({ ...rest, lines: between, components: [], start: between[0]?.start ?? lineStart });
        continue;
      }
      const inner = stack.slice(depth + 1);
      const unclosed = inner.at(-1);
      if (unclosed !== undefined) warnings.push(warning('component-unclosed', { component: unclosed.name }));
      damaged ||= inner.some((component) => topComponents.has(component.name));
      // an alarm without its end takes what follows it in its event
      const tookTime = inner.some(({ lines: own }) => tellTime(new Set(own.map((one) => one.name))));
      for (let i = stack.length - 1; i >= depth; i -= 1) {
        const component = stack[i] as Component;
        component.damaged ||= i > depth || (tookTime && component.name !== 'VCALENDAR');
        component.end = Math.min(at, length);
        component.bodyEnd = lineStart;
        component.closed = true;
      }
      stack.length = depth;
      current = stack[depth - 1];
    } else if (name === 'TZID' || !opaque.has(current.name)) {
      lines += 1;
      if (lines > icalLimits.lines) return { ok: false, reason: 'more than 400,000 lines' };
      if (current.lines.length === icalLimits.linesOfComponent) {
        return { ok: false, reason: 'more than 60,000 lines in one component' };
      }
      current.lines.push({ name, text: line, nameEnd, start: lineStart, end: Math.min(at, length) });
    }
  }

  // a line without its end may be part of another one: `20270308` of `20270308T080000Z`
  const { lines: lastLines = [] } = current ?? {};
  if (lastLines.at(-1)?.end === length && !/[\r\n]$/.test(text)) lastLines.pop();
  if (roots.length === 0) return { ok: false, reason: 'not iCalendar: there is no BEGIN line' };
  if (junkLines > 0) warnings.push(warning('lines-skipped', { number: junkLines }));
  return { ok: true, text, roots, complete: stack.length === 0, damaged, warnings };
}

export function upperCase(name: string): string {
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    if (code < 45 || (code > 57 && code < 65) || code > 90) return name.toUpperCase();
  }
  return name;
}

export interface Property {
  /** Upper-case names; of a repeated parameter the first counts. Null when there are none. */
  parameters: Parameters | null;
  /** As written, still escaped. */
  value: string;
}

/** Parameters and raw value of one content line. Source: RFC 5545 3.2, RFC 6868. */
export function readProperty(line: ContentLine): Property {
  const { text, nameEnd } = line;
  if (text.charCodeAt(nameEnd) === 58) return { parameters: null, value: text.slice(nameEnd + 1) };
  const parameters = new Parameters();
  let at = nameEnd;
  while (text.charCodeAt(at) === 59) {
    let nameStop = at + 1;
    while (nameStop < text.length && !isDelimiter(text.charCodeAt(nameStop))) nameStop += 1;
    if (text.charCodeAt(nameStop) !== 61) {
      // `;FOO;` or `;FOO:`: a parameter without a value.
      at = nameStop;
      continue;
    }
    const isKept = parameters.size < icalLimits.parameters;
    const name = isKept ? upperCase(text.slice(at + 1, nameStop)) : '';
    let stop = nameStop + 1;
    let value: string;
    const closing = text.charCodeAt(stop) === 34 ? text.indexOf('"', stop + 1) : -1;
    if (closing !== -1) {
      value = text.slice(stop + 1, closing);
      stop = closing + 1;
      // The further values of a list (`MEMBER="a","b"`), which nobody here asks for.
      while (stop < text.length && text.charCodeAt(stop) !== 58 && text.charCodeAt(stop) !== 59) {
        const quoted = text.charCodeAt(stop) === 34 ? text.indexOf('"', stop + 1) : -1;
        stop = quoted === -1 ? stop + 1 : quoted + 1;
      }
    } else {
      while (stop < text.length && text.charCodeAt(stop) !== 58 && text.charCodeAt(stop) !== 59) stop += 1;
      value = text.slice(nameStop + 1, stop);
    }
    if (isKept && !parameters.has(name)) parameters.set(name, value);
    at = stop;
  }
  return { parameters, value: text.slice(at + 1) };
}

function isDelimiter(code: number): boolean {
  return code === 58 || code === 59 || code === 61;
}
