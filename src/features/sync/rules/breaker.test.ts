import { describe, expect, test } from 'vitest';
import { type BreakerInput, judgeRemovals } from './breaker.ts';

const judge = (more: Partial<BreakerInput>) => {
  const { removals, state, askForListing } = judgeRemovals({
    state: 'closed',
    sinceMs: null,
    deletes: 1,
    live: 100,
    suspect: false,
    lastListingMs: null,
    ...more,
  });
  return `${removals}, ${state}${askForListing ? ', listing' : ''}`;
};

describe('mass-deletion breaker', () => {
  test.each<[string, Partial<BreakerInput>, string]>([
    ['a few of many', { deletes: 20, live: 100 }, 'delete, closed'],
    ['ten of ten', { deletes: 10, live: 10 }, 'delete, closed'],
    ['eleven of eleven', { deletes: 11, live: 11 }, 'hold, waiting, listing'],
    ['just over a fifth', { deletes: 21, live: 100 }, 'hold, waiting, listing'],
    ['a fifth of thousands', { deletes: 1_000, live: 5_000 }, 'delete, closed'],
    ['one, after a listing that was suddenly empty', { deletes: 1, suspect: true }, 'hold, waiting, listing'],
    ['none, after such a listing', { deletes: 0, suspect: true }, 'delete, closed'],
  ])('the mass-deletion breaker decides on removals: %s', (_, input, verdict) => {
    expect(judge(input)).toBe(verdict);
  });

  const waiting = { state: 'waiting', sinceMs: 1_000_000, deletes: 50 } as const;
  test.each<[string, Partial<BreakerInput>, string]>([
    ['no listing since', { lastListingMs: 1_000_000 }, 'hold, waiting, listing'],
    ['never listed', { lastListingMs: null }, 'hold, waiting, listing'],
    ['a listing too soon', { lastListingMs: 1_059_999 }, 'hold, waiting, listing'],
    ['a second listing that agrees', { lastListingMs: 1_060_000 }, 'hold, open'],
    ['fewer now, and no second listing yet', { deletes: 2, lastListingMs: 1_010_000 }, 'hold, waiting, listing'],
    ['fewer after the second listing', { deletes: 2, lastListingMs: 1_060_000 }, 'delete, closed'],
    ['few, and still suddenly empty', { deletes: 2, suspect: true, lastListingMs: 1_060_000 }, 'hold, open'],
  ])('the waiting mass-deletion breaker decides on removals: %s', (_, input, verdict) => {
    expect(judge({ ...waiting, ...input })).toBe(verdict);
  });

  test('an open breaker holds removals until its owner answers or most events come back', () => {
    expect(judge({ state: 'open', deletes: 50 })).toBe('hold, open');
    expect(judge({ state: 'open', deletes: 3, suspect: true })).toBe('hold, open');
    expect(judge({ state: 'open', deletes: 3 })).toBe('delete, closed');
  });

  test('an answer to the breaker is carried out and closes it', () => {
    expect(judge({ state: 'allowed', deletes: 500, suspect: true })).toBe('delete, closed');
    expect(judge({ state: 'keeping', deletes: 500 })).toBe('release, closed');
    expect(judge({ state: 'keeping', deletes: 1 })).toBe('release, closed');
  });
});
