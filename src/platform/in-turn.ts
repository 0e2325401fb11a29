interface Line {
  /** Resolved when the last in line is done. */
  tail: Promise<void>;
  length: number;
  /** So many came, ever. */
  tickets: number;
  /** What was seen since the last of them acted, by whoever had come by then. */
  look: { tickets: number; answer: Promise<unknown> } | null;
}

const linesOf = new WeakMap<object, Map<string, Line>>();

/**
 * Lets those in this process who want the same act one after the other, in the order they came: at the database all but
 * one would only wait for it, each on a connection. It decides nothing, constraints do. Who had to wait looks first, once
 * for all who stood in line by then; `look` throws where it is too late, and follows from `what` alone.
 */
export async function inTurn<T>(
  of: object,
  what: string,
  look: (() => Promise<unknown>) | null,
  act: () => Promise<T>,
): Promise<T> {
  const lines = linesOf.get(of) ?? new Map<string, Line>();
  linesOf.set(of, lines);
  const line = lines.get(what) ?? { tail: Promise.resolve(), length: 0, tickets: 0, look: null };
  lines.set(what, line);
  const ticket = ++line.tickets;
  const isFirst = line.length++ === 0;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const ahead = line.tail;
  line.tail = done;
  try {
    await ahead;
    if (!isFirst && look !== null) {
      if (line.look === null || line.look.tickets < ticket) line.look = { tickets: line.tickets, answer: look() };
      await line.look.answer;
    }
    line.look = null;
    return await act();
  } finally {
    line.length -= 1;
    if (line.length === 0) lines.delete(what);
    resolve();
  }
}
