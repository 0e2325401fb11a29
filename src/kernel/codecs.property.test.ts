import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { epochMs, id, instant, instantMs, line, plainDate, queryInt, queryList, text, zone } from '#kernel/codecs.ts';
import { runs } from '../../test/harness/law-budget.ts';

const codecs = { instant, instantMs, plainDate, zone, id: id(), line: line(50), text: text(50), n: queryInt(-5, 5) };

test('a codec decodes or refuses any text without throwing', () => {
  const shapes = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.stringMatching(/^-?\d{4,6}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,12})?)?(Z|[+-]\d\d:\d\d)?)?$/),
  );
  fc.assert(
    fc.property(shapes, (given) => {
      for (const codec of Object.values(codecs)) z.safeDecode(codec as z.ZodMiniType<unknown, string>, given);
    }),
    { numRuns: runs(2000), examples: [['2027-04-04T00:00:00.0000000000Z']] },
  );
});

test('an instant of 1970-2100 is encoded and decoded with every digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 4_133_980_799_999_999_999n }), (ns) => {
      const value = Temporal.Instant.fromEpochNanoseconds(ns);
      expect(z.decode(instant, z.encode(instant, value)).epochNanoseconds).toBe(ns);
    }),
  );
});

test('milliseconds are encoded and decoded without loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_133_980_799_999 }), (ms) => {
      expect(z.decode(instantMs, z.encode(instantMs, ms))).toBe(ms);
    }),
  );
});

test('times outside 1970-2100 and impossible times are refused', () => {
  for (const wrong of [
    '1969-12-31T23:59:59Z',
    '2101-01-01T00:00:00Z',
    '2027-02-30T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '10000-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2027-01-01T00:00:00',
    '2027-01-01',
    '',
    'now',
  ]) {
    expect(z.safeDecode(instant, wrong).success, wrong).toBe(false);
    expect(z.safeDecode(instantMs, wrong).success, wrong).toBe(false);
  }
  for (const wrong of [-1, 4_133_980_800_000, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(z.safeDecode(epochMs, wrong).success, String(wrong)).toBe(false);
  }
});

test('zones are IANA names, never offsets, paths or nonsense', () => {
  for (const good of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
    expect(z.safeDecode(zone, good).success, good).toBe(true);
  }
  for (const wrong of ['', '+02:00', '../../etc/passwd', 'Mars/Olympus', 'GMT+0530', 'Europe/Berlin\u0000']) {
    expect(z.safeDecode(zone, wrong).success, wrong).toBe(false);
  }
});

test('a line has no line break, NUL or lone surrogate, and a text may have line breaks', () => {
  for (const wrong of ['a\r\nBcc: x', 'a\nb', 'a\u0000', '\ud800', 'x\u2028', 'x'.repeat(51)]) {
    expect(z.safeDecode(line(50), wrong).success, JSON.stringify(wrong)).toBe(false);
  }
  expect(z.safeDecode(line(50), 'Zoë 👩‍👩‍👧').success).toBe(true);
  expect(z.safeDecode(text(50), 'a\r\n\tb').success).toBe(true);
  expect(z.safeDecode(text(50), 'a\u0000').success).toBe(false);
});

test('query values are whole numbers in bounds and lists with a limit', () => {
  expect(z.decode(queryInt(1, 9), '9')).toBe(9);
  for (const wrong of ['0', '10', '1e0', ' 1', '1.0', '', '0x1']) {
    expect(z.safeDecode(queryInt(1, 9), wrong).success, wrong).toBe(false);
  }
  expect(z.decode(queryList(id(), 2), '')).toEqual([]);
  expect(z.safeDecode(queryList(id(), 2), 'not-an-id').success).toBe(false);
  expect(z.safeDecode(queryList(z.string(), 2), 'a,b,c').success).toBe(false);
});
