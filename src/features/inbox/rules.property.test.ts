import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Blocking, findConflictingPairs, subjectOf } from './rules.ts';

const event = fc.record({
  item: fc.integer({ min: 0, max: 5 }),
  calendarId: fc.constantFrom('a', 'b', 'c'),
  title: fc.constantFrom('x', 'y', 'z'),
  startMs: fc.integer({ min: 0, max: 40 }),
  length: fc.integer({ min: 0, max: 12 }),
});
const events = fc.array(event, { maxLength: 9 }).map((list) =>
  list.map(
    ({ item, length, ...rest }, index): Blocking => ({
      ...rest,
      itemId: `${rest.calendarId}${item}`,
      eventId: `${index}`,
      endMs: rest.startMs + length,
    }),
  ),
);

test('conflicts list each pair of items from different calendars once if any instances overlap', () => {
  fc.assert(
    fc.property(events, (list) => {
      const expected = new Set<string>();
      for (const one of list) {
        for (const other of list) {
          const isCopy = one.title === other.title && one.startMs === other.startMs && one.endMs === other.endMs;
          const meets = one.startMs < other.endMs && other.startMs < one.endMs;
          const haveLength = one.startMs < one.endMs && other.startMs < other.endMs;
          if (one.calendarId !== other.calendarId && meets && haveLength && !isCopy)
            expected.add(subjectOf(one, other));
        }
      }
      const found = findConflictingPairs(list).map(([one, other]) => subjectOf(one, other));
      expect(found.toSorted()).toEqual([...expected].toSorted());
    }),
  );
});

test('a recurring conflict is reported at its first overlap, with the earlier event first', () => {
  const weekly = (week: number, itemId: string, calendarId: string, from: number): Blocking => ({
    itemId,
    eventId: `${itemId}_${week}`,
    calendarId,
    title: itemId,
    startMs: week * 1_000 + from,
    endMs: week * 1_000 + from + 60,
  });
  const list = [1, 0].flatMap((week) => [weekly(week, 'gym', 'home', 30), weekly(week, 'team', 'work', 0)]);
  expect(findConflictingPairs(list).map((pair) => pair.map(({ eventId }) => eventId))).toEqual([['team_0', 'gym_0']]);
});
