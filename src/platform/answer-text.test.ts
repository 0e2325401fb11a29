import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';
import { compileSchema } from './compile-schema.ts';
import { answerText, hasLongList } from './compress.ts';
import { sayMessages } from './error-words.ts';

const one = z.strictObject({ id: z.int(), at: instantMs, message: z.optional(z.string()) });
const schema = compileSchema(
  z.strictObject({
    name: z.string(),
    left_out: z.optional(z.string()),
    few: z.array(one),
    many: z.array(one),
    numbers: z.array(z.int()),
    groups: z.array(z.strictObject({ title: z.string(), many: z.array(one), none: z.nullable(z.array(one)) })),
  }),
);
const list = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, at: id * 1_000, ...(id % 3 === 0 ? { message: 'No' } : {}) }));
const german = (answer: unknown) => sayMessages(answer, 'de');

function inPieces(value: unknown, shape: z.core.$ZodType = schema): { text: string; pauses: number } {
  const work = answerText(shape, value, german);
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pauses += 1;
  return { text: step.value, pauses };
}

test.each([
  { many: 201, groups: [], pauses: 1 },
  { many: 1_000, groups: [3, 0], pauses: 5 },
  { many: 0, groups: [2, 900, 1], pauses: 4 },
  { many: 450, groups: [450], pauses: 4 },
])('an answer with $many objects and groups of $groups is written with pauses, as it would be at once', (given) => {
  const value = {
    name: 'All "of" them',
    few: list(2),
    many: list(given.many),
    numbers: Array.from({ length: 5_000 }, (_, n) => n),
    groups: given.groups.map((count) => ({ title: `${count}`, many: list(count), none: null })),
  };
  expect(hasLongList(value)).toBe(true);
  const { text, pauses } = inPieces(value);
  expect(text).toBe(JSON.stringify(german(z.encode(schema, value as never))));
  expect(pauses).toBe(given.pauses);
});

test('few objects with many members of lists inside are written with a pause after each', () => {
  const options = Array.from({ length: 50 }, (_, n) => `Option ${n}`);
  const questions = Array.from({ length: 20 }, (_, n) => ({ label: `Question ${n}`, options }));
  const types = Array.from({ length: 84 }, (_, n) => ({ title: `Type ${n}`, settings: { questions } }));
  const ofType = z.strictObject({
    title: z.string(),
    settings: z.strictObject({
      questions: z.array(z.strictObject({ label: z.string(), options: z.array(z.string()) })),
    }),
  });
  const list = z.array(ofType);
  const shape = compileSchema(z.strictObject({ types: list, teams: z.array(z.strictObject({ types: list })) }));
  const value = { types, teams: [{ types }, { types: [] }] };
  expect(hasLongList(value)).toBe(true);
  const { text, pauses } = inPieces(value, shape);
  expect(text).toBe(JSON.stringify(value));
  expect(pauses).toBe(168);
});

test('a long list that must have a member is written beside the others', () => {
  const shape = compileSchema(z.strictObject({ fields: z.array(one).check(z.minLength(1)), many: z.array(one) }));
  const value = { fields: list(300), many: list(300) };
  const { text, pauses } = inPieces(value, shape);
  expect(text).toBe(JSON.stringify(german(z.encode(shape, value as never))));
  expect(pauses).toBe(1);
});

test('an answer without a long list of objects is written at once', () => {
  const numbers = Array.from({ length: 5_000 }, (_, n) => n);
  const value = { name: '', few: [], many: list(200), numbers, groups: [] };
  expect(hasLongList(value)).toBe(false);
  expect(hasLongList(undefined)).toBe(false);
  expect(inPieces(value)).toEqual({ text: JSON.stringify(german(z.encode(schema, value as never))), pauses: 0 });
});

test('a value that its contract does not allow fails in any piece of a long list, and beside it', () => {
  const whole = { name: '', few: [], many: list(500), numbers: [], groups: [] };
  const broken = { ...whole, many: whole.many.with(430, { id: 0.5, at: 0 }) };
  expect(() => inPieces(broken)).toThrow();
  expect(() => inPieces({ ...whole, other: 1 })).toThrow();
  expect(() => inPieces({ ...whole, name: 1 })).toThrow();
});
