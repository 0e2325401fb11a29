import { expect, test } from 'vitest';
import { addUp } from './add-up.ts';
import type { Explanation } from './queries.ts';

function explained(
  denominator: number | null,
  ...rows: readonly [id: string, part: string, numerator: number, denominator: number][]
): Explanation {
  return {
    definition: '',
    numerator: null,
    denominator,
    rows: rows.map(([id, part, numerator, of]) => ({
      kind: 'visit',
      booking_id: null,
      event_id: null,
      id,
      title: null,
      with: null,
      at: null,
      part,
      numerator,
      denominator: of,
    })),
    rest: { rows: 0, numerator: 0, denominator: 0 },
  };
}

test('a funnel stage includes the visits that went further', () => {
  const visits = explained(
    4,
    ['1', 'viewed', 0, 1],
    ['2', 'chosen', 0, 1],
    ['3', 'held', 1, 1],
    ['4', 'confirmed', 0, 1],
  );
  const count = (stage: string) => addUp('funnel', visits, stage).numerator;
  expect(['viewed', 'chosen', 'submitted', 'confirmed', 'held'].map(count)).toEqual([4, 3, 2, 2, 1]);
});

test('an hour adds up its bookings of every weekday, a heatmap cell those of one weekday', () => {
  const slots = explained(null, ['1', '0 9', 1, 0], ['2', '4 9', 1, 0], ['3', '4 19', 1, 0]);
  expect(addUp('popular-time-slots', slots, '9').numerator).toBe(2);
  expect(addUp('popular-time-slots', slots, '4 9').numerator).toBe(1);
  expect(addUp('popular-time-slots', slots, undefined).numerator).toBe(3);
});

test('participants add up as new or repeat, and two of one domain in a meeting count once', () => {
  const people = explained(
    3,
    ['m1 9 a@x.org', 'x.org', 1, 1],
    ['m1 9 b@x.org', 'x.org', 0, 1],
    ['m2 9 a@x.org', 'x.org', 0, 0],
    ['m2 9 c@y.org', 'y.org', 0, 1],
  );
  expect(addUp('participant-insights', people, 'new').numerator).toBe(1);
  expect(addUp('participant-insights', people, 'repeat').numerator).toBe(2);
  expect(addUp('participant-insights', people, 'x.org').numerator).toBe(2);
  expect(addUp('participant-insights', people, undefined)).toMatchObject({ numerator: 1, denominator: 3 });
});

test('a trend line adds up alone, and lead time is a mean', () => {
  const lines = explained(
    null,
    ['1', 'bookings_created', 1, 0],
    ['1', 'avg_lead_time_days', 4, 1],
    ['2', 'avg_lead_time_days', 2, 1],
  );
  expect(addUp('booking-trends', lines, 'bookings_created')).toMatchObject({ numerator: 1, denominator: null });
  expect(addUp('booking-trends', lines, 'avg_lead_time_days')).toMatchObject({ numerator: 6, denominator: 2 });
});
