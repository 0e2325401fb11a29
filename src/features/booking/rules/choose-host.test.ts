import { describe, expect, test } from 'vitest';
import { dayMs } from '#kernel/time/civil.ts';
import { type Candidate, calibrationNow, calibrationOf, orderHosts } from './choose-host.ts';

const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  weight: 1,
  priority: 2,
  assigned: 0,
  calibration: 0,
  lastMs: null,
  ...more,
});
const order = (candidates: Candidate[], owner?: string) => orderHosts(candidates, owner).map(({ id }) => id);

describe('order of hosts', () => {
  test('the host with the fewest bookings for their weight goes first', () => {
    expect(order([candidate('a', { assigned: 3, weight: 2 }), candidate('b', { assigned: 2 })])).toEqual(['a', 'b']);
    expect(order([candidate('a', { assigned: 1, calibration: 2 }), candidate('b', { assigned: 2 })])).toEqual([
      'b',
      'a',
    ]);
  });

  test('hosts with equal shares are ordered by priority, then by longest wait, then by id', () => {
    expect(order([candidate('a'), candidate('b', { priority: 1 })])).toEqual(['b', 'a']);
    expect(order([candidate('a', { lastMs: 20 }), candidate('b', { lastMs: 10 }), candidate('c')])).toEqual([
      'c',
      'b',
      'a',
    ]);
    expect(order([candidate('b'), candidate('a')])).toEqual(['a', 'b']);
  });

  test('the contact owner goes first when they are among the hosts', () => {
    const pool = [candidate('a'), candidate('b', { assigned: 9 })];
    expect(order(pool, 'b')).toEqual(['b', 'a']);
    expect(order(pool, 'z')).toEqual(['a', 'b']);
  });
});

describe('calibration of a new host', () => {
  test('a new host starts at the median share of the pool, times their own weight', () => {
    const pool = [1, 5, 6].map((assigned) => candidate('x', { assigned }));
    expect(calibrationOf(pool, 2)).toBe(10);
    expect(calibrationOf(pool.slice(1), 1)).toBe(5.5);
    expect(calibrationOf([], 3)).toBe(0);
  });

  test('the calibration of a new host fades to zero within 30 days', () => {
    const sinceMs = 1_000;
    expect(calibrationNow(10, sinceMs, sinceMs)).toBe(10);
    expect(calibrationNow(10, sinceMs, sinceMs + 15 * dayMs)).toBe(5);
    expect(calibrationNow(10, sinceMs, sinceMs + 31 * dayMs)).toBe(0);
    expect(calibrationNow(10, sinceMs, sinceMs - dayMs)).toBe(10);
  });
});
