/** One file of what somebody takes with them, written while it is read: nothing is held as a whole. */
export interface ExportPart {
  /** Inside the archive, made by us: lower case, no `..`. */
  path: string;
  chunks: () => AsyncIterable<string>;
}

export function jsonPart(path: string, load: () => Promise<unknown>): ExportPart {
  return {
    path,
    async *chunks() {
      yield `${JSON.stringify(await load(), null, 2)}\n`;
    },
  };
}

const pageRows = 500;

/** A list as JSON, read in pages of rows in the order of their `id`; only what `keep` says is written. */
export function listPart<Id extends string | number, Row extends { id: Id }>(
  path: string,
  readPage: (page: { after: Id | null; limit: number }) => Promise<Row[]>,
  keep: (row: Row) => boolean = () => true,
): ExportPart {
  return {
    path,
    async *chunks() {
      let after: Id | null = null;
      let comma = '';
      yield '[';
      for (;;) {
        const rows: Row[] = await readPage({ after, limit: pageRows });
        for (const row of rows) {
          if (!keep(row)) continue;
          yield `${comma}\n${JSON.stringify(row)}`;
          comma = ',';
        }
        after = rows.at(-1)?.id ?? after;
        if (rows.length < pageRows) break;
      }
      yield '\n]\n';
    },
  };
}
