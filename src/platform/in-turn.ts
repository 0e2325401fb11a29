interface Line {
  /** Resolved when the last in line is done. */
  tail: Promise<void>;
  length: number;
  /** So many came, ever. */
  tickets: number;
  /** The look since the last act, shared by those who waited then. */
  look: { tickets: number; answer: Promise<unknown> } | null;
}

const linesOf = new WeakMap<object, Map<string, Line>>();

/**
 * Serializes the same act in this process, in order of arrival. At the database all but one would wait, each on a
 * connection. The order decides nothing; constraints do. Callers that had to wait look first, once for all in the
 * queue. `look` throws when it is too late, and depends on `what` alone.
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
