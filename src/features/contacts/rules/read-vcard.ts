import { type Component, type PlacedLine, readProperty, scanInSlices } from '#kernel/ical/content-lines.ts';
import { splitText, unescapeText } from '#kernel/ical/ical-text.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import { mostTagsRead } from './contact-draft.ts';
import { importLimits } from './contact-limits.ts';
import type { RawContact } from './read-rows.ts';

const opaque = new Set<string>();

/** The cards of a vCard file, 3.0 and 4.0 (RFC 2426, RFC 6350), whose lines are those of iCalendar. Null where there is none. */
export function* readVcard(text: string): Sliced<RawContact[] | null> {
  // Apple and Google put lines into groups: `item1.EMAIL:…`
  const scan = yield* scanInSlices(text.replace(/^[A-Za-z0-9-]+\.(?=[A-Za-z-]+[;:])/gm, ''), opaque);
  if (!scan.ok) return null;
  // a few more than are taken are told of
  const cards = scan.roots.filter(({ name }) => name === 'VCARD').slice(0, importLimits.rows + 200);
  if (cards.length === 0) return null;
  let line = 1;
  let at = 0;
  const contacts: RawContact[] = [];
  for (const card of cards) {
    for (; at < card.start; at += 1) if (scan.text.charCodeAt(at) === 10) line += 1;
    contacts.push(readCard(card, line));
    yield;
  }
  return contacts;
}

/** Lines of one name that a card is read from, and values of one line. Address books write a few of each. */
const most = { lines: 50, values: 10 };

function readCard(card: Component, line: number): RawContact {
  const linesOf = new Map<string, PlacedLine[]>();
  for (const one of card.lines) {
    const lines = linesOf.get(one.name);
    if (lines === undefined) linesOf.set(one.name, [one]);
    else if (lines.length < most.lines) lines.push(one);
  }
  const all = (name: string) => linesOf.get(name) ?? [];
  const text = (name: string) => {
    const [first] = all(name);
    return first === undefined ? '' : unescapeText(readProperty(first).value);
  };
  // the parts of N and ORG; a semicolon after a backslash is text
  const parts = (name: string) => {
    const [first] = all(name);
    return first === undefined ? [] : splitText(readProperty(first).value, ';', most.values).map((part) => part.trim());
  };
  const [family = '', given = ''] = parts('N');
  const name = text('FN') || `${given} ${family}`.trim();
  const address = preferred(all('EMAIL'));
  return {
    line,
    shown: [name, address].filter((one) => one !== '').join(', '),
    address,
    name,
    phone: preferred(all('TEL')).replace(/^tel:/i, ''),
    company: parts('ORG')[0] ?? '',
    tags: tagsOf(all('CATEGORIES')),
    note: text('NOTE'),
  };
}

function tagsOf(lines: readonly PlacedLine[]): string[] {
  const tags: string[] = [];
  for (const one of lines) tags.push(...splitText(readProperty(one).value, ',', mostTagsRead - tags.length));
  return tags;
}

/** `PREF=1` in 4.0, `TYPE=PREF` in 3.0; else the first. */
function preferred(lines: readonly PlacedLine[]): string {
  const read = lines.map(readProperty);
  const rank = (one: (typeof read)[number]) => {
    const pref = Number(one.parameters?.get('PREF') ?? Number.NaN);
    return Number.isNaN(pref) ? (/pref/i.test(one.parameters?.get('TYPE') ?? '') ? 1 : 101) : pref;
  };
  const [best] = read.toSorted((one, other) => rank(one) - rank(other));
  return best === undefined ? '' : unescapeText(best.value).trim();
}
