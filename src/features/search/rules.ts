import type { Core, EventBody } from '#kernel/event.ts';
import { foldText } from '#kernel/text/fold-text.ts';

/** The typed words, folded to letters and digits, so that they are safe inside a pattern. */
export interface Wanted {
  whole: string;
  /** Not empty. */
  words: readonly string[];
}

/** More words do not narrow a search any further. */
const mostWords = 8;
/** As many characters as can be typed. Folding makes eighteen of some. */
const mostTyped = 200;

/** The words of a search, or null if nothing searchable was typed. */
export function readWanted(typed: string): Wanted | null {
  const words = foldText(typed).slice(0, mostTyped).trimEnd().split(' ').slice(0, mostWords);
  return words[0] === '' ? null : { whole: words.join(' '), words };
}

/** The searchable text of an event. */
interface Document {
  /** Folded: the title, then in lines of their own places and people; each line begins with a space. */
  text: string;
  /** The other attendees, once each, with addresses in lower case. */
  people: { email: string; name: string | null }[];
}

/** Increase it with every change of how a text is made. All texts are then rebuilt. */
export const documentEdition = 1;
/** A meeting with two hundred attendees is found by about the first hundred. */
const mostChars = 8_000;

/** `own`: the user's own addresses, in lower case. */
export function documentOf(body: EventBody, own: ReadonlySet<string>): Document {
  const cores = coresOf(body);
  const people = new Map<string, string | null>();
  for (const { email, name } of cores.flatMap((core) => core.attendees ?? [])) {
    const address = email.toLowerCase();
    if (own.has(address) || isRoom(address)) continue;
    people.set(address, people.get(address) ?? name ?? null);
  }
  const lines = [
    ...cores.map((core) => core.title),
    ...cores.map((core) => core.location),
    ...[...people].map(([email, name]) => `${name ?? ''} ${email}`),
  ];
  const folded = new Set<string>();
  let chars = 0;
  for (const line of new Set(lines)) {
    if (chars > mostChars) break;
    const text = foldText((line ?? '').slice(0, mostChars));
    if (text === '' || folded.has(text)) continue;
    folded.add(text);
    chars += text.length + 2;
  }
  return {
    text: [...folded]
      .map((line) => ` ${line}`)
      .join('\n')
      .slice(0, mostChars),
    people: [...people].map(([email, name]) => ({ email, name })),
  };
}

/** A longer name is found by its beginning. */
const mostPersonChars = 500;

/** The searchable text of a person, folded. It begins with a space. */
export const personText = ({ name, email }: { name: string | null; email: string }) =>
  ` ${foldText(`${name ?? ''} ${email}`).slice(0, mostPersonChars)}`;

function coresOf(body: EventBody): Core[] {
  switch (body.kind) {
    case 'single':
      return [body.core];
    case 'series':
      return [body.core, ...Object.values(body.overrides).map(({ core }) => core)];
    case 'split':
      return [...coresOf(body.series), ...body.changes.flatMap(({ to }) => to?.core ?? [])];
    case 'instances':
      return Object.values(body.list).map(({ core }) => core);
    case 'withheld':
      return [];
  }
}

/** Google lists a room as an attendee. */
const isRoom = (email: string) => email.endsWith('@resource.calendar.google.com');
