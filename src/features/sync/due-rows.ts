import type { MirrorId } from '#kernel/ids.ts';
import type { DueMirror } from './store/mirrors.ts';

/** After fewer rows than this nothing more is asked for: a lone change is one question. */
const fewRows = 50;
/** The next rows are asked for while so many are left, so that no writer waits for the database. */
const rowsAhead = 250;

/**
 * Due mirrors of an account, in order, shared by several writers. `read` returns the next rows other than the given
 * ones, or null to end the run.
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
        // after a failure, the caller that takes the last row asks again
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
    // rows that became due during the last writes need one more query
    else if (left === 0) this.#ended = true;
  }
}
