import { describe, expect, test } from 'vitest';
import { Recall } from './recall.ts';

describe('size-limited cache', () => {
  test('a cache entry is the last value stored under its name', () => {
    const recall = new Recall<number[]>(100);
    expect(recall.get('a')).toBeUndefined();
    recall.set('a', [1]);
    recall.set('a', [2]);
    recall.set('b', [3]);
    recall.delete('b');
    expect([recall.get('a'), recall.get('b')]).toEqual([[2], undefined]);
  });

  test('a full cache evicts the least recently used entries', () => {
    const recall = new Recall<string>(40);
    const tenLong = 'x'.repeat(7); // with its quotes and its name
    for (const key of ['a', 'b', 'c', 'd']) recall.set(key, tenLong);
    expect(recall.get('a')).toBe(tenLong);
    recall.set('e', tenLong);
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => recall.get(key) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
    recall.set('f', 'x'.repeat(17));
    expect(['a', 'c', 'd', 'e', 'f'].filter((key) => recall.get(key) !== undefined)).toEqual(['d', 'e', 'f']);
  });

  test('a value larger than the cache is not stored', () => {
    const recall = new Recall<string>(10);
    recall.set('a', 'x');
    recall.set('a', 'x'.repeat(10));
    expect(recall.get('a')).toBeUndefined();
  });
});
