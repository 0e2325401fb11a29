import { type Component, type PlacedLine, readProperty, scanInSlices } from '#kernel/ical/content-lines.ts';
import { cleanText, escapeText, foldLine, roomFor, splitText, unescapeText } from '#kernel/ical/ical-text.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import {
  type ContactDraft,
  importLimits,
  longest,
  mostTags,
  mostTagsRead,
  readAddress,
  trimLine,
  trimTags,
} from '../rules.ts';

/** Why a row of a file was not taken. */
export const refusals = ['no-address', 'bad-address', 'twice', 'too-many'] as const;
type Refusal = (typeof refusals)[number];

/** A row of a file: what it says of a contact, or why it is not taken. */
type ReadRow =
  | { line: number; draft: ContactDraft }
  /** `shown`: enough of it to find it again. */
  | { line: number; refused: Refusal; shown: string };

/** The raw values of a row of the file. */
export interface RawContact {
  line: number;
  shown: string;
  address: string;
  name: string;
  phone: string;
  company: string;
  tags: readonly string[];
  note: string;
}

/** Judges the rows of a file, each on its own: a bad one costs the others nothing. */
export function* readRows(rows: readonly RawContact[]): Sliced<ReadRow[]> {
  const seen = new Set<string>();
  const judge = (row: RawContact, number: number): ReadRow => {
    const { line, shown } = row;
    const refuse = (refused: Refusal): ReadRow => ({ line, refused, shown: trimLine(shown, 120) ?? '' });
    if (number >= importLimits.rows) return refuse('too-many');
    if (row.address.trim() === '') return refuse('no-address');
    const address = readAddress(row.address);
    if (address === null) return refuse('bad-address');
    if (seen.has(address)) return refuse('twice');
    seen.add(address);
    const note = row.note
      .trimStart()
      .slice(0, 2 * longest.note)
      .replace(/\r\n?/g, '\n')
      .trim()
      .slice(0, longest.note)
      .toWellFormed();
    return {
      line,
      draft: {
        address,
        name: trimLine(row.name, longest.name),
        phone: trimLine(row.phone, longest.phone),
        company: trimLine(row.company, longest.company),
        tags: trimTags(row.tags, longest.tag, mostTags),
        note: note === '' ? null : note,
      },
    };
  };
  const judged: ReadRow[] = [];
  for (const [number, row] of rows.entries()) {
    judged.push(judge(row, number));
    yield;
  }
  return judged;
}

/** The existing contact of an address. */
interface KnownContact {
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: readonly string[];
  deleted: boolean;
  notes: readonly string[];
}

/** The outcome for a row. `gains`: the empty fields that it fills. Existing values are never overwritten. */
export type PlannedRow =
  | { line: number; what: 'added'; draft: ContactDraft }
  | { line: number; what: 'changed'; draft: ContactDraft; gains: ('name' | 'phone' | 'company' | 'tags' | 'note')[] }
  | { line: number; what: 'same'; draft: ContactDraft }
  | { line: number; what: 'refused'; reason: Refusal | 'full'; shown: string };

/** The plan of an import. `room`: the number of contacts that may be added. A second run changes nothing. */
export function* planImport(
  rows: readonly ReadRow[],
  known: ReadonlyMap<string, KnownContact>,
  room: number,
): Sliced<PlannedRow[]> {
  let left = room;
  const plan = (row: ReadRow): PlannedRow => {
    const { line } = row;
    if ('refused' in row) return { line, what: 'refused', reason: row.refused, shown: row.shown };
    const { draft } = row;
    const before = known.get(draft.address);
    if (before === undefined || before.deleted) {
      if (before === undefined && left <= 0) return { line, what: 'refused', reason: 'full', shown: draft.address };
      if (before === undefined) left -= 1;
      return { line, what: 'added', draft };
    }
    const filled = { ...draft, ...fillIn(before, draft) };
    const gains = [
      ...(['name', 'phone', 'company'] as const).filter((field) => before[field] === null && draft[field] !== null),
      ...(filled.tags.length > before.tags.length ? (['tags'] as const) : []),
      ...(draft.note !== null && !before.notes.includes(draft.note) ? (['note'] as const) : []),
    ];
    const note = gains.includes('note') ? draft.note : null;
    return gains.length === 0
      ? { line, what: 'same', draft: { ...filled, note } }
      : { line, what: 'changed', draft: { ...filled, note }, gains };
  };
  const planned: PlannedRow[] = [];
  for (const row of rows) {
    planned.push(plan(row));
    yield;
  }
  return planned;
}

type Facts = Pick<ContactDraft, 'name' | 'phone' | 'company' | 'tags'>;

/** Fills empty fields from the other value. */
export function fillIn(before: Facts, other: Facts): Facts {
  return {
    name: before.name ?? other.name,
    phone: before.phone ?? other.phone,
    company: before.company ?? other.company,
    tags: trimTags([...before.tags, ...other.tags], longest.tag, mostTags),
  };
}

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
  const text = (name: string, limit: number) => {
    const [first] = all(name);
    return first === undefined ? '' : unescapeText(readProperty(first).value, roomFor(limit));
  };
  // the parts of N and ORG; a semicolon after a backslash is text
  const parts = (name: string) => {
    const [first] = all(name);
    return first === undefined
      ? []
      : splitText(readProperty(first).value, ';', most.values, roomFor(longest.name)).map((part) => part.trim());
  };
  const [family = '', given = ''] = parts('N');
  const name = text('FN', longest.name) || `${given} ${family}`.trim();
  const address = preferred(all('EMAIL'));
  return {
    line,
    shown: [name, address].filter((one) => one !== '').join(', '),
    address,
    name,
    phone: preferred(all('TEL')).replace(/^tel:/i, ''),
    company: parts('ORG')[0] ?? '',
    tags: tagsOf(all('CATEGORIES')),
    note: text('NOTE', longest.note),
  };
}

function tagsOf(lines: readonly PlacedLine[]): string[] {
  const tags: string[] = [];
  for (const one of lines)
    tags.push(...splitText(readProperty(one).value, ',', mostTagsRead - tags.length, roomFor(longest.tag)));
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
  return best === undefined ? '' : unescapeText(best.value, roomFor(longest.address)).trim();
}

const vcardVersions = ['4.0', '3.0'] as const;

/** The exported fields of a contact. */
export interface ExportedContact {
  id: string;
  addresses: readonly string[];
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: readonly string[];
  notes: readonly string[];
}

/** One card, as RFC 6350 or RFC 2426 has it. */
export function writeVcard(one: ExportedContact, version: (typeof vcardVersions)[number]): string {
  const text = (value: string) => escapeText(cleanText(value, 20_000));
  const name = one.name ?? one.addresses[0] ?? '';
  const words = name.split(' ');
  const family = words.length > 1 ? (words.at(-1) ?? '') : '';
  const given = words.length > 1 ? words.slice(0, -1).join(' ') : name;
  return [
    'BEGIN:VCARD',
    `VERSION:${version}`,
    `UID:${version === '4.0' ? 'urn:uuid:' : ''}${one.id}`,
    `FN:${text(name)}`,
    `N:${text(family)};${text(given)};;;`,
    ...one.addresses.map((address, n) =>
      version === '4.0'
        ? `EMAIL${n === 0 ? ';PREF=1' : ''}:${text(address)}`
        : `EMAIL;TYPE=INTERNET${n === 0 ? ',PREF' : ''}:${text(address)}`,
    ),
    ...(one.phone === null ? [] : [`TEL${version === '4.0' ? ';VALUE=text' : ''}:${text(one.phone)}`]),
    ...(one.company === null ? [] : [`ORG:${text(one.company)}`]),
    ...(one.tags.length === 0 ? [] : [`CATEGORIES:${one.tags.map(text).join(',')}`]),
    ...(one.notes.length === 0 ? [] : [`NOTE:${text(one.notes.join('\n\n'))}`]),
    'END:VCARD',
  ]
    .map(foldLine)
    .join('');
}
