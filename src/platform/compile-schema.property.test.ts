import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calendarContract } from '#features/calendar/contract.ts';
import { instant } from '#kernel/codecs.ts';
import { compileSchema } from './compile-schema.ts';

const schema = z.strictObject({
  id: z.uuid(),
  at: instant,
  note: z.optional(z.string()),
  count: z._default(z.int(), 3),
  list: z.array(
    z.strictObject({ name: z.string().check(z.maxLength(3)), more: z.nullable(z.object({ flag: z.boolean() })) }),
  ),
  any: z.union([z.string(), z.looseObject({ kind: z.literal('x') })]),
  numbers: z.array(z.int().check(z.gte(0), z.lte(9))),
  even: z.nullable(z.array(z.int().check(z.lt(9), z.multipleOf(2)))),
});

const outcome = (of: typeof schema, value: unknown) => {
  const { success, data, error } = z.safeEncode(of, value as never);
  return success ? { data, keys: Object.keys(data) } : { issues: error.issues };
};

const mostly = <T, U>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong });

/** Mostly right, wrong in any of its parts. */
const value = fc.record(
  {
    id: mostly(fc.uuid(), fc.string()),
    at: mostly(
      fc.integer({ min: 0, max: 4e12 }).map((ms) => Temporal.Instant.fromEpochMilliseconds(ms)),
      fc.constantFrom(null, 'now'),
    ),
    note: mostly(fc.constantFrom(undefined, 'n'), fc.constant(7)),
    count: mostly(fc.integer(), fc.constantFrom(undefined, 0.5)),
    list: fc.array(
      fc.record(
        {
          name: mostly(fc.string({ maxLength: 3 }), fc.constantFrom('four', 4)),
          more: mostly(fc.constantFrom(null, { flag: true }, { flag: false, extra: 1 }), fc.constant({ flag: 'no' })),
        },
        { requiredKeys: ['name', 'more'] },
      ),
      { maxLength: 3 },
    ),
    any: mostly(fc.constantFrom('s', { kind: 'x', further: 1 }), fc.constant({ kind: 'y' })),
    numbers: mostly(
      fc.array(mostly(fc.integer({ min: 0, max: 9 }), fc.constantFrom(-1, 10, 0.5, '1', NaN))),
      fc.constant('1'),
    ),
    even: mostly(fc.constantFrom(null, [], [2, 4], [8]), fc.constantFrom([1], [10], [2.5])),
    strange: fc.constant(true),
  },
  { requiredKeys: ['id', 'at', 'count', 'list', 'any', 'numbers', 'even'] },
);

test('a compiled schema returns the same values and the same errors as the plain schema', () => {
  const fast = compileSchema(schema);
  let accepted = 0;
  fc.assert(
    fc.property(value, (given) => {
      const expected = outcome(schema, given);
      expect(outcome(fast, given)).toEqual(expected);
      if ('data' in expected) accepted += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test('compiling a schema leaves the original and its JSON Schema unchanged', () => {
  const { output } = calendarContract.listEvents;
  const before = JSON.stringify(z.toJSONSchema(output, { io: 'input' }));
  expect(JSON.stringify(z.toJSONSchema(compileSchema(output), { io: 'input' }))).toBe(before);
  expect(JSON.stringify(z.toJSONSchema(output, { io: 'input' }))).toBe(before);
});
