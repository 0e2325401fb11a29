import { expect, test, vi } from 'vitest';
import { decodeCalendar, decodeInSlices } from '#kernel/ical/decode-calendar.ts';

const bytesOf = (...parts: readonly (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));

test('lines that are no UTF-8 are Windows-1252, and the others stay as they are', () => {
  const bytes = bytesOf('a: ü 語 😀\r\n', [0x62, 0x3a, 0xfc, 0x80, 0x99, 0x81], '\nc: é\n', [0x64, 0xc3]);
  expect(decodeCalendar(bytes)).toBe('a: ü 語 😀\r\nb:ü€™\u0081\nc: é\ndÃ');
});

// RFC 3629 3 and 4: overlong forms, surrogates, signs beyond U+10FFFF, bytes without their lead and leads without their bytes
test.each([
  [[0xc0, 0xaf]],
  [[0xe0, 0x80, 0xaf]],
  [[0xf0, 0x80, 0x80, 0xaf]],
  [[0xed, 0xa0, 0x80]],
  [[0xf4, 0x90, 0x80, 0x80]],
  [[0xf5, 0x80, 0x80, 0x80]],
  [[0x80]],
  [[0xe2, 0x82]],
  [[0xe2, 0x82, 0x41]],
])('bytes that are no UTF-8 are read as Windows-1252: %j', (bytes) => {
  const text = new TextDecoder('windows-1252').decode(Uint8Array.from(bytes));
  expect(decodeCalendar(bytesOf('x\n', bytes, '\ny'))).toBe(`x\n${text}\ny`);
});

test('half a million lines that are no UTF-8 are decoded together, with a pause after each 64 KB', () => {
  const bytes = Uint8Array.from({ length: 1_000_000 }, (_, n) => (n % 2 === 0 ? 0x80 : 10));
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  const work = decodeInSlices(bytes);
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pauses += 1;
  expect(decode.mock.calls.length).toBeLessThan(10);
  decode.mockRestore();
  expect(step.value).toBe('€\n'.repeat(500_000));
  expect(pauses).toBeGreaterThanOrEqual(15);
});
