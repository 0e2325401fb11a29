/** One file of what somebody takes with them, written while it is read: nothing is held as a whole. */
export interface ExportPart {
  /** Inside the archive, made by us: lower case, no `..`. */
  path: string;
  chunks: () => AsyncIterable<string>;
}

const chunkChars = 16 * 1024;

export function jsonPart(path: string, load: () => Promise<unknown>): ExportPart {
  return {
    path,
    async *chunks() {
      let text = '';
      for (const piece of jsonPieces(await load(), '\n')) {
        text += piece;
        if (text.length < chunkChars) continue;
        yield text;
        text = '';
      }
      yield `${text}\n`;
    },
  };
}

/** The text of `JSON.stringify(value, null, 2)`, in pieces as small as its texts. */
function* jsonPieces(value: unknown, line: string): Generator<string> {
  // dates and the like become texts first
  const plain = hasToJson(value) ? value.toJSON() : value;
  if (typeof plain !== 'object' || plain === null) {
    yield JSON.stringify(plain) ?? 'null';
    return;
  }
  const [open, close] = Array.isArray(plain) ? '[]' : '{}';
  const inner = `${line}  `;
  let before = `${open}${inner}`;
  for (const [key, member] of Object.entries(plain)) {
    if (member === undefined && !Array.isArray(plain)) continue;
    yield Array.isArray(plain) ? before : `${before}${JSON.stringify(key)}: `;
    yield* jsonPieces(member, inner);
    before = `,${inner}`;
  }
  yield before.startsWith(',') ? `${line}${close}` : `${open}${close}`;
}

const hasToJson = (value: unknown): value is { toJSON(): unknown } =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';

const pageRows = 500;

/** A list as JSON, read in pages of so many rows in the order of their `id`; only what `keep` says is written. */
export function listPart<Id extends string | number, Row extends { id: Id }>(
  path: string,
  readPage: (page: { after: Id | null; limit: number }) => Promise<Row[]>,
  { keep = () => true, limit = pageRows }: { keep?: (row: Row) => boolean; limit?: number } = {},
): ExportPart {
  return {
    path,
    async *chunks() {
      let after: Id | null = null;
      let comma = '';
      yield '[';
      for (;;) {
        const rows: Row[] = await readPage({ after, limit });
        for (const row of rows) {
          if (!keep(row)) continue;
          yield `${comma}\n${JSON.stringify(row)}`;
          comma = ',';
        }
        after = rows.at(-1)?.id ?? after;
        if (rows.length < limit) break;
      }
      yield '\n]\n';
    },
  };
}
