import type { GoogleEvent } from './resource.ts';
import { isCancelled, type SeriesParts } from './to-event.ts';

interface Group {
  master: GoogleEvent | null;
  exceptions: Map<string, GoogleEvent>;
  /** The master is gone, or repeats no longer: its exceptions mean nothing. */
  closed: boolean;
}

/** Gathers masters and exceptions in whatever order, and however often, they are told; of one event the last counts. */
export class SeriesBasket {
  readonly #groups = new Map<string, Group>();

  addMaster(event: GoogleEvent): void {
    const group = this.#group(event.id);
    group.master = event;
    group.closed = false;
  }

  addException(ref: string, event: GoogleEvent): void {
    this.#group(ref).exceptions.set(event.id, event);
  }

  close(ref: string): void {
    const group = this.#group(ref);
    group.master = null;
    group.closed = true;
  }

  /** Returns the parts of every series that is still open. */
  parts(): SeriesParts[] {
    const all: SeriesParts[] = [];
    for (const [ref, { master, exceptions, closed }] of this.#groups) {
      if (!closed) all.push({ ref, master, exceptions: [...exceptions.values()] });
    }
    return all;
  }

  #group(ref: string): Group {
    let group = this.#groups.get(ref);
    if (group === undefined) {
      group = { master: null, exceptions: new Map(), closed: false };
      this.#groups.set(ref, group);
    }
    return group;
  }
}

/** Whether a series has nothing left: no visible master, and all instances cancelled. */
export const isEmpty = ({ master, exceptions }: SeriesParts) => master === null && exceptions.every(isCancelled);
