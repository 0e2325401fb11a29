import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/harness/law-budget.ts';
import { parseJson } from './http-input.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const isOrdinary = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.entries(value).every(([key, one]) => key !== '__proto__' && isOrdinary(one));
const anyJson = fc.jsonValue({ stringUnit: 'binary' }).filter((value) => isOrdinary(value));

test('any JSON reads like JSON.parse, and is refused with one key repeated', () => {
  fc.assert(
    fc.property(
      anyJson,
      fc.string({ unit: 'binary' }),
      anyJson,
      fc.constantFrom('', ' ', '\n\t'),
      (value, key, other, space) => {
        fc.pre(key !== '__proto__');
        const text = JSON.stringify(value);
        fc.pre(text.isWellFormed());
        expect(parseJson(bytes(text), 20_000)).toEqual(JSON.parse(text));
        const name = JSON.stringify(key);
        const twice = `{${name}${space}:${text},${space}${name}:${JSON.stringify(other)}}`;
        expect(() => parseJson(bytes(twice), 20_000)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
      },
    ),
    { numRuns: runs(1_000) },
  );
});
