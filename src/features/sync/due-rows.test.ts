import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MirrorId } from '#kernel/ids.ts';
import { DueRows } from './due-rows.ts';
import type { DueMirror } from './store/mirrors.ts';

const rowOf = (n: number) => ({ id: String(n).padStart(6, '0') as MirrorId }) as DueMirror;
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A ledger of so many rows that are due, and as many writers as asked; a row is due until it is written. */
async function writeAll({ count, limit, writers }: { count: number; limit: number; writers: number }) {
  const due = new Map(Array.from({ length: count }, (_, n) => [rowOf(n).id, rowOf(n)]));
  const written: MirrorId[] = [];
  const inHand = new Set<MirrorId>();
  let questions = 0;
  const rows = new DueRows(async (without) => {
    questions += 1;
    const asked = [...due.values()].filter(({ id }) => !without.includes(id)).slice(0, limit);
    await later();
    return asked;
  });
  const writer = async () => {
    for (let row = await rows.take(); row !== null; row = await rows.take()) {
      if (inHand.has(row.id)) throw new Error(`${row.id} is written by two at once`);
      inHand.add(row.id);
      await later();
      written.push(row.id);
      due.delete(row.id);
      inHand.delete(row.id);
      rows.done(row);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return { written, questions, hasMore: rows.hasMore };
}

describe('due mirror rows', () => {
  it('due rows are given out once each and in order, however many writers take them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          count: fc.integer({ min: 0, max: 900 }),
          limit: fc.integer({ min: 50, max: 400 }),
          writers: fc.integer({ min: 1, max: 12 }),
        }),
        async (asked) => {
          const { written, hasMore } = await writeAll(asked);
          expect(written.toSorted()).toEqual(Array.from({ length: asked.count }, (_, n) => rowOf(n).id));
          expect(hasMore).toBe(false);
          if (asked.writers === 1) expect(written).toEqual(written.toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a small number of due rows takes one query', async () => {
    expect(await writeAll({ count: 10, limit: 1_000, writers: 8 })).toMatchObject({ questions: 1 });
    expect(await writeAll({ count: 0, limit: 1_000, writers: 8 })).toMatchObject({ questions: 1, written: [] });
  });

  it('further due rows are read before the last one is taken', async () => {
    let questions = 0;
    const rows = new DueRows(async () => {
      questions += 1;
      return Array.from({ length: questions === 1 ? 100 : 60 }, (_, n) => rowOf(questions * 1_000 + n));
    });
    for (let n = 0; n < 49; n += 1) await rows.take();
    expect(questions).toBe(1);
    for (let n = 0; n < 2; n += 1) await rows.take();
    expect(questions).toBe(2);
  });

  it('due rows are read again when reading ahead has failed', async () => {
    let questions = 0;
    const rows = new DueRows(async () => {
      questions += 1;
      if (questions === 2) throw new Error('the database is away');
      return questions === 1 ? Array.from({ length: 50 }, (_, n) => rowOf(n)) : [];
    });
    for (let n = 0; n < 50; n += 1) expect(await rows.take()).not.toBeNull();
    await later();
    expect(await rows.take()).toBeNull();
    expect(questions).toBe(3);
    const broken = new DueRows(() => Promise.reject(new Error('the database is away')));
    await expect(broken.take()).rejects.toThrow('away');
  });

  it('due rows end with the run, and report that there may be more', async () => {
    let asked = 0;
    const rows = new DueRows(async () => (++asked === 1 ? Array.from({ length: 60 }, (_, n) => rowOf(n)) : null));
    for (let n = 0; n < 60; n += 1) expect(await rows.take()).not.toBeNull();
    expect(await rows.take()).toBeNull();
    expect(rows.hasMore).toBe(true);
  });
});
