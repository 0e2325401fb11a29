import type { MirrorId } from '#kernel/ids.ts';
import type { DueMirror } from './store/mirrors.ts';

/** After fewer rows than this nothing more is asked for: a lone change is one question. */
const fewRows = 50;
/** The next rows are asked for while so many are left, so that no writer waits for the database. */
const rowsAhead = 250;

/**
 * What is due at an account, in its order, for several writers at once. `read` gives the next rows without those named, or
 * null where this run shall end.
 */
export class DueRows {
  readonly #read: (inHand: MirrorId[]) => Promise<DueMirror[] | null>;
  #rows: DueMirror[] = [];
  /** Next to be taken. */
  #at = 0;
  /** Where the next ones are asked for. */
  #askAt = Number.POSITIVE_INFINITY;
  readonly #inHand = new Set<MirrorId>();
  #reading: Promise<void> | null = null;
  #ended = false;
  #hasMore = false;

  constructor(read: (inHand: MirrorId[]) => Promise<DueMirror[] | null>) {
    this.#read = read;
  }

  /** Whether it ended before all was read that is due. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** The next row, or null where there is none. Until its end is told (`done`) it is not given again. */
  async take(): Promise<DueMirror | null> {
    for (;;) {
      const row = this.#rows[this.#at];
      if (row !== undefined) {
        this.#at += 1;
        // should it fail, whoever takes the last row asks again
        if (this.#at >= this.#askAt) this.#readMore().catch(() => undefined);
        return row;
      }
      if (this.#ended) return null;
      await this.#readMore();
    }
  }

  done(row: DueMirror): void {
    this.#inHand.delete(row.id);
  }

  #readMore(): Promise<void> {
    this.#askAt = Number.POSITIVE_INFINITY;
    this.#reading ??= this.#append().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #append(): Promise<void> {
    if (this.#ended) return;
    const left = this.#rows.length - this.#at;
    const rows = await this.#read([...this.#inHand]);
    if (rows === null) {
      this.#ended = true;
      this.#hasMore = true;
      return;
    }
    for (const row of rows) this.#inHand.add(row.id);
    this.#rows = [...this.#rows.slice(this.#at), ...rows];
    this.#at = 0;
    if (rows.length >= fewRows) this.#askAt = this.#rows.length - Math.min(rowsAhead, Math.floor(rows.length / 2));
    // what comes while the last ones are written is asked for once more
    else if (left === 0) this.#ended = true;
  }
}
