import { type Component, type PlacedLine, readProperty, scanComponents } from '#kernel/ical/content-lines.ts';
import { foldLine } from '#kernel/ical/ical-text.ts';
import { gatherEvent, isEmpty, type RawEvent } from '#kernel/ical/read-event.ts';

/** Changes of a text by their places in it, carried out together. */
export interface TextEdits {
  replace(from: number, to: number, text: string): void;
  /** False as long as nothing was changed. */
  readonly touched: boolean;
  apply(): string;
}

export function editText(text: string): TextEdits {
  const edits: { from: number; to: number; text: string }[] = [];
  return {
    replace: (from, to, replacement) => void edits.push({ from, to, text: replacement }),
    get touched() {
      return edits.length > 0;
    },
    apply() {
      let result = '';
      let at = 0;
      // a stable sort: what is put in at one place stays in its order, and comes before what is replaced there
      for (const edit of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
        result += text.slice(at, edit.from) + edit.text;
        at = edit.to;
      }
      return result + text.slice(at);
    },
  };
}

/** One component of an object while it is changed line by line; whatever is not named stays byte for byte. */
export interface EventDraft {
  raw: RawEvent;
  /** Replaces a line by a content line without folds and line end; null takes it out. */
  put(line: PlacedLine, content: string | null): void;
  /** Adds a content line after another one, or after the last. Lines of that name without a value go. */
  add(content: string, after?: PlacedLine): void;
  /** Replaces the line of a property that occurs once, else adds it; null takes it out. Other lines of that name go. */
  set(name: string, content: string | null, after?: PlacedLine): void;
  /** Adds whole components at the end. */
  append(lines: string): void;
  remove(component: Component): void;
  readonly touched: boolean;
  /** Once. */
  print(): string;
}

/** The line end that a text uses. */
export function lineEndOf(text: string): string {
  return text.includes('\r\n') || !text.includes('\n') ? '\r\n' : '\n';
}

/** A text of ours with the line ends of the file it goes into. */
export function withLineEnd(text: string, lineEnd: string): string {
  return lineEnd === '\r\n' ? text : text.replaceAll('\r\n', lineEnd);
}

/** The draft of one VEVENT, given as its lines from BEGIN to END; null where they are none. */
export function draftEvent(text: string, lineEnd: string): EventDraft | null {
  const scan = scanComponents(text);
  const component = scan.ok ? scan.roots[0] : undefined;
  if (!scan.ok || component === undefined || scan.text !== text) return null;
  const raw = gatherEvent(component);
  const edits = editText(text);
  const folded = (content: string) => withLineEnd(foldLine(content), lineEnd);
  let appended = '';
  const end = Math.min(component.bodyEnd, ...component.components.map(({ start }) => start));
  const put = (line: PlacedLine, content: string | null) =>
    edits.replace(line.start, line.end, content === null ? '' : folded(content));
  const add = (content: string, after?: PlacedLine) => {
    const name = content.slice(0, content.search(/[;:]/));
    for (const line of component.lines) if (line.name === name && isEmpty(line)) put(line, null);
    const at = after?.end ?? end;
    edits.replace(at, at, folded(content));
  };
  return {
    raw,
    put,
    add,
    set(name, content, after) {
      const line = raw.one.get(name);
      for (const other of component.lines) if (other.name === name && other !== line) put(other, null);
      if (line !== undefined) put(line, content);
      else if (content !== null) add(content, after);
    },
    append(lines) {
      appended += withLineEnd(lines, lineEnd);
    },
    remove: ({ start, end: stop }) => edits.replace(start, stop, ''),
    get touched() {
      return edits.touched || appended !== '';
    },
    print() {
      // components come after every line, whenever that was added
      edits.replace(component.bodyEnd, component.bodyEnd, appended);
      return edits.apply();
    },
  };
}

/** The parameters of a line as they are written, but for those named; each begins with its semicolon. */
export function parametersBut(line: PlacedLine | undefined, dropped: readonly string[]): string {
  if (line === undefined) return '';
  const head = line.text.slice(line.nameEnd, line.text.length - readProperty(line).value.length - 1);
  const parts = head.match(/;(?:"[^"]*"|[^;])*/g) ?? [];
  return parts.filter((part) => !dropped.includes(part.slice(1).split('=', 1)[0]?.toUpperCase() ?? '')).join('');
}

/** A parameter value: in quotes where it must be, its own quotes and line ends as RFC 6868 has them. */
export function parameterValue(text: string): string {
  const encoded = text.replace(/[\^\n"]/g, (char) => (char === '\n' ? '^n' : char === '"' ? "^'" : '^^'));
  return /^[\w.@/+-]*$/.test(encoded) ? encoded : `"${encoded}"`;
}
