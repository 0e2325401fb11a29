import { invalidParameter } from './errors.ts';

/** Selected fields of a resource; null: all of them. */
type Selection = Map<string, Selection | null> | null;

/**
 * Keeps the fields that `fields` names: `a,b(c,d),e/f,*`.
 * Source: Google Calendar API, "Performance tips", partial response.
 */
export function selectFields(value: unknown, fields: string | null): unknown {
  if (fields === null) return value;
  const reader = { text: fields.replaceAll(/\s/g, ''), at: 0 };
  const selection = readList(reader);
  if (reader.at < reader.text.length || fields === '') throw invalidParameter('fields');
  return pick(value, selection);
}

function pick(value: unknown, selection: Selection): unknown {
  if (selection === null || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => pick(one, selection));
  const picked: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const wanted = selection.has(name) ? selection.get(name) : selection.get('*');
    if (wanted !== undefined) picked[name] = pick(inner, wanted);
  }
  return picked;
}

interface Reader {
  text: string;
  at: number;
}

function readList(reader: Reader): Selection {
  const selection = new Map<string, Selection | null>();
  for (;;) {
    readPath(reader, selection);
    if (reader.text[reader.at] !== ',') return selection;
    reader.at += 1;
  }
}

function readPath(reader: Reader, into: NonNullable<Selection>): void {
  const name = /^[A-Za-z*][\w]*/.exec(reader.text.slice(reader.at))?.[0];
  if (name === undefined) throw invalidParameter('fields');
  reader.at += name.length;
  const next = reader.text[reader.at];
  if (next !== '/' && next !== '(') {
    into.set(name, null);
    return;
  }
  const known = into.get(name);
  if (next === '/') {
    reader.at += 1;
    const inner: NonNullable<Selection> = known ?? new Map();
    readPath(reader, inner);
    if (known !== null) into.set(name, inner);
    return;
  }
  reader.at += 1;
  into.set(name, readList(reader));
  if (reader.text[reader.at] !== ')') throw invalidParameter('fields');
  reader.at += 1;
}
